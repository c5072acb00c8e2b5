/** Control characters but tab and line feed; a carriage return hides what stands before it in a terminal. */
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Spaces that are no separators for a shell, and characters that are not drawn or turn the text around. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}|[[\p{Zs}\p{Zl}\p{Zp}]--[ ]]|[\ufff0-\ufffb]/v

/** Drawn like something that means much to a shell: slashes, dashes, quotes, dots, and the full-width forms. */
const LOOKALIKE =
  /[\u2010-\u2015\u2018-\u201f\u2024-\u2026\u2032-\u2037\u2044\u2052\u2215\u2216\u2223\u2236\u29f5\u29f8\u29f9\u2571\u2572\u2758\u037e\u01c3\u2212\ufe30-\ufe6f\uff00-\uffef]/u

/** Letters of one word from alphabets that share shapes: "с" in "сurl" is Cyrillic. */
const LATIN = /[a-z]/i
const SHARED_SHAPES =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}\p{Script=Lisu}]/u

/** What in `source` a person would not see as what it is; undefined when it can be taken as it looks. */
export function disguise(source: string): string | undefined {
  if (!source.isWellFormed()) return 'it is not valid Unicode'
  if (CONTROL.test(source)) return 'it contains control characters'
  if (INVISIBLE.test(source)) return 'it contains invisible characters'
  if (LOOKALIKE.test(source)) return 'it contains characters that look like others'
  const mixed = source.split(/\s+/).some(word => LATIN.test(word) && SHARED_SHAPES.test(word))
  return mixed ? 'it mixes letters that look alike' : undefined
}
