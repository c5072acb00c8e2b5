import { ownValue, ReverieError } from '../../../store/index.ts'
import { filterMatcher } from '../glob-pattern.ts'

class UnknownType extends ReverieError {}

/** Names as ripgrep has them. */
const TYPES: Readonly<Record<string, string>> = {
  c: '*.{c,h}',
  cpp: '*.{cpp,cc,cxx,hpp,hh,hxx,h,inl}',
  cs: '*.cs',
  css: '*.{css,scss}',
  csv: '*.csv',
  dart: '*.dart',
  docker: '*Dockerfile*',
  elixir: '*.{ex,exs,eex}',
  erlang: '*.{erl,hrl}',
  go: '*.go',
  graphql: '*.{graphql,gql}',
  haskell: '*.{hs,lhs}',
  html: '*.{html,htm,ejs}',
  java: '*.{java,jsp,properties}',
  js: '*.{js,jsx,mjs,cjs,vue}',
  json: '*.json',
  jsonl: '*.jsonl',
  julia: '*.jl',
  kotlin: '*.{kt,kts}',
  lua: '*.lua',
  make: '{[Mm]akefile,*.mk,*.mak}',
  md: '*.{md,markdown,mdx}',
  ocaml: '*.{ml,mli}',
  perl: '*.{pl,pm,t}',
  php: '*.php',
  protobuf: '*.proto',
  py: '*.{py,pyi}',
  r: '*.{r,R,Rmd}',
  ruby: '{*.rb,*.gemspec,Gemfile,Rakefile}',
  rust: '*.rs',
  scala: '*.{scala,sbt}',
  sh: '*.{sh,bash,zsh,ksh}',
  sql: '*.sql',
  svelte: '*.svelte',
  swift: '*.swift',
  tf: '*.{tf,tfvars}',
  toml: '*.toml',
  ts: '*.{ts,tsx,mts,cts}',
  txt: '*.txt',
  vue: '*.vue',
  xml: '*.{xml,xsd,xsl,xslt}',
  yaml: '*.{yaml,yml}',
  zig: '*.zig',
}

export function typeMatcher(type: string): (path: string) => boolean {
  const pattern = ownValue(TYPES, type)
  if (pattern === undefined)
    throw new UnknownType(
      `There is no file type "${type}". There are: ${Object.keys(TYPES).join(', ')}. For others use glob.`,
    )
  return filterMatcher(pattern)
}
