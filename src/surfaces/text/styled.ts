import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Colours for stdout; none when it is not a terminal, or `NO_COLOR` is set. */
export function styled(style: Style, text: string): string {
  return colour(style, text, process.stdout)
}

/** The same for stderr. */
export function styledError(style: Style, text: string): string {
  return colour(style, text, process.stderr)
}

/** Node lets FORCE_COLOR win over NO_COLOR; whoever wants no colours gets none. */
function colour(style: Style, text: string, stream: NodeJS.WriteStream): string {
  return process.env.NO_COLOR ? text : styleText(style, text, { stream })
}
