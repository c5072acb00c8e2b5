/**
 * English words whose forms no suffix rule connects: a question says "run" or "buy", the remark it
 * looks for says "ran" or "bought".
 */
const IRREGULAR = `come came;give gave given;go went gone;lie lay lain;make made;take took taken;tell told;become became;begin began begun;bend bent;bind bound;bite bit bitten;blow blew blown;break broke broken;
breed bred;bring brought;build built;burn burnt;buy bought;catch caught;choose chose chosen;creep crept;deal dealt;
dig dug;draw drew drawn;dream dreamt;drink drank drunk;drive drove driven;eat ate eaten;fall fell fallen;feed fed;
feel felt;fight fought;find found;flee fled;fly flew flown;forbid forbade forbidden;forget forgot forgotten;
forgive forgave forgiven;freeze froze frozen;grow grew grown;hang hung;hear heard;hide hid hidden;hold held;keep kept;
kneel knelt;know knew known;lead led;leap leapt;learn learnt;leave left;lend lent;light lit;lose lost;mean meant;
meet met;pay paid payment;ride rode ridden;ring rang rung;rise rose risen;run ran;see saw seen;seek sought;sell sold;send sent;
shake shook shaken;shine shone;shoot shot;show shown;shrink shrank shrunk;sing sang sung;sink sank sunk;sit sat;
sleep slept;slide slid;speak spoke spoken;spend spent;spin spun;stand stood;steal stole stolen;stick stuck;
strike struck;swear swore sworn;sweep swept;swim swam swum;swing swung;teach taught;tear tore torn;think thought;
throw threw thrown;understand understood;wake woke woken;wear wore worn;weave wove woven;weep wept;win won;
write wrote written;child children;person people;man men;woman women;foot feet;tooth teeth;mouse mice;goose geese;
life lives;wife wives;knife knives;leaf leaves;shelf shelves;half halves;wolf wolves;index indices;vertex vertices;
matrix matrices;analysis analyses;crisis crises`

let forms: Map<string, readonly string[]> | undefined

/** Every form of a folded word, itself first; made when the first question comes, not at start. */
export function formsOf(word: string): readonly string[] {
  if (!forms) {
    forms = new Map()
    for (const line of IRREGULAR.split(/;\s*/)) {
      const family = line.split(' ')
      for (const form of family) forms.set(form, [form, ...family.filter(other => other !== form)])
    }
  }
  return forms.get(word) ?? [word, ...nounOrVerb(word)]
}

/** Porter's rules part "deploy" (deploi) from "deployment" (deploy), and "pay" from "payment". */
function nounOrVerb(word: string): string[] {
  if (/[aeo]y$/.test(word)) return [`${word}ment`]
  const verb = /^(.*[aeo]y)ments?$/.exec(word)?.[1]
  return verb === undefined ? [] : [verb]
}
