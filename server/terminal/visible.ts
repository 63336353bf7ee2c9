/**
 * What a terminal would obey, as signs that people see. Titles, branches, names and the output of tests come from
 * anybody, and can hold sequences that write elsewhere on the screen, set the clipboard or turn text around.
 */

const escape = '\u001B'

/** Stands for the escape of a sequence of our own. It differs in each process, so that no text can hold it. */
const ownEscape = `${escape}${crypto.getRandomValues(new Uint32Array(3)).join('-')}`

/** Controls (C0, DEL, C1), line separators, and the marks that change the direction of text. */
const obeyed =
  '\\u0000-\\u0008\\u000B-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069'
const unsafe = new RegExp(`${ownEscape}|\\r\\n|[${obeyed}]`, 'g')
const unsafeInLine = new RegExp(`${ownEscape}|[\\t\\n${obeyed}]`, 'g')

/**
 * A text of several lines, with every such character as `\u001b`. JSON stays the same JSON: within its strings this
 * is how such a character is written.
 */
export function visible(text: string): string {
  return text.replaceAll(unsafe, (found) => (found === '\r\n' ? '\n' : signOf(found)))
}

/** The same for a text that must stay in its line or cell: also without tabs and line ends. */
export function oneLine(text: string): string {
  return text.replaceAll(unsafeInLine, signOf)
}

function signOf(found: string): string {
  if (found === ownEscape) return found
  return `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** A sequence of our own for `toTerminal`, without its escape: `[J` clears what is below the cursor. */
export function own(sequence: string): string {
  return ownEscape + sequence
}

const ownSequence = new RegExp(`${ownEscape}\\[[\\d;]*[A-Za-z]`, 'g')

/** How many columns a text takes: a sequence of our own takes none. */
export function columnsOf(text: string): number {
  return text.replaceAll(ownSequence, '').length
}

/** Text as a terminal gets it: the only sequences in it are our own. */
export function toTerminal(text: string): string {
  return visible(text).replaceAll(ownEscape, escape)
}
