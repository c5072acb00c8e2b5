/** Words by which English sentences about people, projects and places are known. Sources for patterns. */

/** What somebody is: "I'm a backend engineer", not "I'm a bit confused". */
export const ROLE =
  'engineer|developer|dev|programmer|coder|designer|student|teacher|professor|lecturer|tutor|doctor|nurse|physician|surgeon|dentist|pharmacist|therapist|manager|scientist|researcher|analyst|admin|administrator|sysadmin|architect|consultant|freelancer|contractor|founder|co-founder|cofounder|cto|ceo|cfo|vp|director|writer|author|journalist|lawyer|attorney|artist|musician|illustrator|animator|composer|beginner|newbie|novice|expert|maintainer|contributor|vegan|vegetarian|parent|father|mother|dad|mum|mom|hobbyist|retiree|intern|trainee|apprentice|accountant|physicist|mathematician|statistician|biologist|chemist|economist|historian|linguist|psychologist|tester|sre|dba|translator|interpreter|photographer|pilot|chef|cook|farmer|entrepreneur|postdoc|undergraduate|undergrad|graduate|hacker|tinkerer|electrician|mechanic|carpenter|librarian|generalist|specialist|strategist|marketer|salesperson|recruiter|streamer|youtuber|blogger|gamer|minimalist|perfectionist|lefty'

/** Words that need another to tell something: "tech lead", "morning person". */
export const ROLE_WITH_MORE =
  'lead|leader|editor|owl|riser|person|speaker|principal|owner|officer|head|citizen|resident'

/** "I'm a vim user" tells something; "I'm the only user" does not. */
export const USER_OF = '(?!only |first |last |same |new |current |other )\\S+ (?:\\S+ ){0,2}(?:user|fan)'

export const TECHNOLOGY =
  'typescript|javascript|python|rust|go|golang|java|kotlin|swift|c|c\\+\\+|c#|f#|ruby|rails|php|laravel|perl|scala|clojure|haskell|ocaml|elixir|erlang|elm|lua|zig|nim|julia|r|matlab|fortran|cobol|lisp|scheme|racket|prolog|dart|flutter|react(?: native)?|vue|angular|svelte|solid|next\\.js|nuxt|node(?:\\.js)?|deno|bun|django|flask|fastapi|spring|sql|postgres(?:ql)?|mysql|sqlite|mongodb|redis|kafka|graphql|docker|kubernetes|k8s|terraform|ansible|nix|nixos|aws|gcp|azure|git|bash|zsh|fish|powershell|html|css|tailwind|sass|assembly|wasm|webassembly|cuda|pytorch|tensorflow|numpy|pandas|spark|hadoop|linux|unix|vim|neovim|emacs|blender|unity|unreal|figma|photoshop|latex|excel'

export const LANGUAGE =
  'english|german|french|spanish|portuguese|italian|dutch|danish|swedish|norwegian|finnish|polish|czech|slovak|hungarian|romanian|greek|turkish|russian|ukrainian|arabic|hebrew|persian|farsi|hindi|urdu|bengali|tamil|thai|vietnamese|indonesian|malay|japanese|korean|chinese|mandarin|cantonese|swahili|catalan|latin|esperanto|sign language'

export const NATIONALITY =
  'american|british|english|scottish|irish|welsh|german|austrian|swiss|french|belgian|dutch|spanish|portuguese|italian|greek|turkish|polish|czech|hungarian|romanian|bulgarian|serbian|croatian|danish|swedish|norwegian|finnish|russian|ukrainian|israeli|iranian|indian|pakistani|chinese|taiwanese|japanese|korean|vietnamese|thai|filipino|indonesian|australian|canadian|mexican|brazilian|argentinian|chilean|colombian|egyptian|nigerian|kenyan|south african'

/** "my name is …": whatever follows tells who somebody is. */
export const OWN_ATTRIBUTE =
  '(?:full |first |last |middle |real |nick)?name|nickname|time ?zone|pronouns|birthday|date of birth|home ?town|home country|nationality|native language|mother tongue|first language|second language|job|job title|title|profession|occupation|employer|(?:personal |work )?e-?mail(?: address)?|(?:github|gitlab|twitter|x|mastodon|slack|discord|linkedin|npm) ?(?:handle|username|user name|account|name|id)?|username|user name|handle|working hours|work hours|office hours|working days|(?:field|area) of (?:expertise|study|work)|speciali?ty|(?:favou?rite|preferred|usual|go-to) (?:[\\w+#./-]+ ){0,2}(?!part\\b|one\\b|option|thing\\b|approach|solution|version|idea\\b|choice|variant|way\\b|line\\b|bit\\b)[\\w+#./-]+|(?:main|primary) (?:language|editor|machine|computer|os|browser|keyboard)|shoe size|blood type|diet|hobby|hobbies'

/** "my editor is Neovim", not "my editor is slow": what follows must be a name. */
export const OWN_TOOL =
  'editor|ide|shell|terminal|os|operating system|laptop|computer|machine|workstation|phone|keyboard|keyboard layout|browser|tech stack|stack|package manager|distro|window manager|desktop environment|prompt style|font|theme|colou?r scheme|role|team|company|city|country|language'

export const PERSON =
  'manager|boss|supervisor|team lead|tech lead|mentor|wife|husband|spouse|partner|girlfriend|boyfriend|fianc[eé]e?|son|daughter|child|brother|sister|mother|father|mom|mum|dad|cat|dog|co-?founder|client|customer|landlord|doctor|dentist|vet|therapist|accountant|lawyer|tax advis[eo]r|assistant|secretary|coach|trainer|tutor|teacher|nanny|babysitter|colleague|teammate|flatmate|roommate|neighbou?r|friend|best friend|grandmother|grandfather|grandma|grandpa|uncle|aunt|cousin|nephew|niece|stepson|stepdaughter|parrot|rabbit|horse'

/** What a project has that is a name: "our database is Postgres". */
export const PROJECT_ATTRIBUTE =
  'tech stack|stack|database|db|backend|frontend|back end|front end|ci|ci system|cloud|cloud provider|hosting|hosting provider|package manager|main language|language|framework|web framework|test runner|test framework|linter|formatter|default branch|main branch|branching model|message queue|queue|cache|bundler|build tool|build system|client|main client|customer|main customer|sponsor|product owner|product manager|project manager|tech lead|team lead|style guide|license|licence|target platform|code name|codename|mascot'

/** What happens on a day: "the deadline is 2026-12-01". */
export const EVENT =
  'deadline|due date|release(?: date)?|launch(?: date)?|go-live(?: date)?|demo|(?:code |feature )?freeze|milestone|sprint|cut-?over|migration(?: date)?|beta|ga date|presentation|kick-?off|retro|hand-?over|end of (?:life|support)|eol|review date|start date|end date|ship date|delivery date|exam|conference'

export const DOCUMENT =
  '(?:api |design |tech(?:nical)? |project |product |internal |team |user )*(?:design files|docs?|documents?|documentation|wiki|handbook|runbooks?|playbooks?|specs?|specifications?|rfcs?|adrs?|roadmap|dashboards?|boards?|kanban board|backlog|tickets?|issues?|bugs?|bug reports?|tasks?|stories|tracker|repo|repos|repository|repositories|mock-?ups?|designs?|wireframes?|slides|meeting notes|notes|minutes|credentials|secrets|passwords|monitoring|metrics|alerts?|logs|traces|style guide|guidelines|on-call schedule|rota|calendar|channel|chat|forum|mailing list|incidents?|post-?mortems?|changelog|faq|knowledge base|contracts?|invoices|staging(?: server| environment| site)?|website|site|homepage|source code)'

/** Where things outside the project are found. */
export const SYSTEM =
  'linear|jira|confluence|notion|github|gitlab|bitbucket|gitea|slack|discord|teams|figma|miro|google (?:drive|docs|sheets|slides|calendar)|drive|sharepoint|onedrive|dropbox|box|grafana|datadog|new relic|kibana|splunk|sentry|honeycomb|prometheus|pagerduty|opsgenie|trello|asana|monday|clickup|shortcut|youtrack|redmine|airtable|coda|1password|lastpass|bitwarden|vault|keychain|outlook|gmail|zendesk|intercom|hubspot|salesforce|storybook|swagger|postman|readme\\.io|obsidian|evernote|basecamp|phabricator|bugzilla|zulip|mattermost|todoist'

export const DATE =
  '\\d{4}-\\d\\d?(?:-\\d\\d?)?|\\d{1,2}[./]\\d{1,2}(?:[./]\\d{2,4})?|\\d{1,2}(?:st|nd|rd|th)\\b|(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b|(?:mon|tues|wednes|thurs|fri|satur|sun)days?\\b|tomorrow|today|tonight|(?:next|this|the coming) (?:week|month|quarter|year|spring|summer|autumn|fall|winter|sprint)|in (?:\\d+|one|two|three|four|five|six|a|an|a few) (?:days?|weeks?|months?|years?)|q[1-4]\\b|end of (?:the )?(?:day|week|month|quarter|year|january|february|march|april|may|june|july|august|september|october|november|december)|mid-?(?:january|february|march|april|may|june|july|august|september|october|november|december|month|year)|christmas|new year|easter|every \\w+'

/** Verbs that start an instruction. "Always fails" is a complaint, "always run the tests" a rule. */
export const INSTRUCTION_VERB =
  'run|use|add|write|commit|push|ask|answer|reply|respond|explain|check|test|include|put|keep|make|format|lint|create|start|end|finish|show|give|call|name|import|export|return|wrap|log|print|document|comment|review|verify|validate|read|open|close|delete|remove|rename|change|edit|touch|modify|update|install|deploy|merge|rebase|squash|amend|force-?push|skip|mock|stub|guess|assume|apologi[sz]e|suggest|propose|generate|mention|repeat|quote|cite|translate|speak|talk|address|summari[sz]e|set|follow|leave|do|be|try|work|say|tell|confirm|indent|sort|order|type|cast|throw|catch|ignore|disable|enable|hard-?code|reformat|refactor|implement|build|compile|send|share|expose|store|save|cache|mutate|inline|abbreviate|nest|split|combine|declare|define|initiali[sz]e|reference|link|escape|saniti[sz]e|bump|pin|tag|release|publish|sign|prefix|capitali[sz]e|truncate|spell|round|convert|prefer|avoid|think|plan|wait|stop|handle|treat|consider|state|list|provide|propagate|pass|rely|depend|reuse|extract|stick|look|search|trust|invent|fabricate|swallow|backport|cherry-?pick|stage|stash|checkout|switch|move|copy|paste|drop|alter|seed|query|join|index|select|begin|greet|thank|praise|flatter|lecture|moralise|moralize|let|take|go|allow|introduce|require|report|notify|warn|double-?check|proofread|cover|measure|profile|benchmark|optimi[sz]e|bundle|minify|vendor|upgrade|downgrade'
