/** Formats text for readers: durations, counts, shares, aligned columns. */

const hourMinutes = 60
const dayMinutes = 24 * hourMinutes

/** `3 d 4 h`, `2 h 10 min`, `41 min`, `4.5 min`, `0 min`: at most two units. */
export function duration(minutes: number | null): string {
  if (minutes === null) return 'none'
  const whole = Math.round(minutes)
  if (whole >= dayMinutes) {
    const hours = Math.round(minutes / hourMinutes)
    return joined([Math.floor(hours / 24), 'd'], [hours % 24, 'h'])
  }
  if (whole >= hourMinutes)
    return joined([Math.floor(whole / hourMinutes), 'h'], [whole % hourMinutes, 'min'])
  return `${minutes < 10 ? rounded(minutes, 1) : whole} min`
}

/** To so many places. Halves go away from zero, also where the number is not exact: .075 becomes .08. */
export function rounded(number: number, places: number): number {
  const scale = 10 ** places
  return (Math.sign(number) * Math.round(Math.abs(number) * scale)) / scale
}

/** `12,345`, `1,234.5`: the same in every locale. */
export function count(number: number): string {
  const [whole = '', part] = String(number).split('.')
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',')
  return part === undefined ? grouped : `${grouped}.${part}`
}

/** `1 pull request`, `3 pull requests`. */
export function several(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** `#3 #4`: pull requests by their numbers. */
export const listed = (pulls: readonly number[], between = ' '): string =>
  pulls.map((number) => `#${number}`).join(between)

/** `86 %`; empty if the whole is zero. Only nothing is 0 % and only the whole is 100 %. */
export function share(part: number, whole: number): string {
  if (whole === 0) return ''
  const percent = (100 * part) / whole
  if (percent > 0 && percent < 0.5) return '< 1 %'
  if (percent >= 99.5 && percent < 100) return '> 99 %'
  return `${Math.round(percent)} %`
}

/**
 * Formats rows as aligned columns, two spaces apart. The columns in `right` are right-aligned. No cell can begin a
 * row of its own. Columns that a terminal of this width has no room for are in tables below, each with the first one
 * again.
 */
export function columns(
  written: readonly (readonly string[])[],
  right: readonly number[] = [],
  width: number | null = null,
): string {
  const rows = written.map((row) => row.map((cell) => oneLine(cell)))
  const widths: number[] = []
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      widths[index] = Math.max(widths[index] ?? 0, cell.length)
    }
  }
  const line = (row: readonly string[], shown: readonly number[]): string =>
    shown
      .map((index) => {
        const [cell = '', most = 0] = [row[index], widths[index]]
        return right.includes(index) ? cell.padStart(most) : cell.padEnd(most)
      })
      .join('  ')
      .trimEnd()
  return besideEachOther(widths, width ?? Infinity)
    .map((shown) => rows.map((row) => `${line(row, shown)}\n`).join(''))
    .join('\n')
}

/** The columns of each table. The last one may be longer, since a text goes on below itself. */
function besideEachOther(widths: readonly number[], most: number): number[][] {
  const [first = 0] = widths
  let shown = [0]
  let used = first
  const tables = [shown]
  for (const [index, width] of widths.entries()) {
    if (index === 0) continue
    const needed = 2 + (index === widths.length - 1 ? Math.min(width, longColumn) : width)
    if (used + needed <= most || shown.length === 1) {
      shown.push(index)
      used += needed
      continue
    }
    shown = [0, index]
    used = first + needed
    tables.push(shown)
  }
  return tables
}

/** A column of texts is readable in so much room. */
const longColumn = 40

/** So much room a column needs in which text goes on. */
const leastColumn = 16

/**
 * A text of which no line is wider than a terminal: what does not fit goes on below the last column that has room, and
 * a word that is longer than that in a line of its own. A word stays whole, so that it can be copied. Null: nothing is
 * folded.
 */
export function folded(text: string, width: number | null): string {
  if (width === null) return text
  const fits = (line: string): string => (columnsOf(line) <= width ? line : foldedLine(line, width))
  return text.split('\n').map(fits).join('\n')
}

function foldedLine(line: string, width: number): string {
  const starts = [...line.matchAll(/(?:^| {2,})(?=\S)/g)].map((gap) => gap.index + gap[0].length)
  const columnAt = (start: number): number => columnsOf(line.slice(0, start))
  const start = starts.findLast((each) => columnAt(each) <= width - leastColumn) ?? 0
  const column = columnAt(start)
  const indentOf = (word: string): string =>
    ' '.repeat(column + columnsOf(word) <= width ? column : 2)
  const lines = [line.slice(0, start)]
  for (const [index, word] of line.slice(start).split(' ').entries()) {
    const last = lines.at(-1) ?? ''
    const space = index === 0 ? '' : ' '
    if (columnsOf(`${last}${space}${word}`) <= width)
      lines.push(`${lines.pop() ?? ''}${space}${word}`)
    else lines.push(indentOf(word) + word)
  }
  return lines
    .map((each) => each.trimEnd())
    .filter((each) => each !== '')
    .join('\n')
}

/** A table in which one column gives way, so that no row is wider than a terminal; null: nothing is cut. */
export function fitted(
  rows: readonly (readonly string[])[],
  flexible: number,
  width: number | null,
): string {
  const whole = columns(rows)
  const widest = longestOf(whole.split('\n'))
  if (width === null || widest <= width) return whole
  const longest = longestOf(rows.map((row) => row[flexible] ?? ''))
  const most = Math.max(10, longest - (widest - width))
  return columns(
    rows.map((row) => row.map((cell, index) => (index === flexible ? cut(cell, most) : cell))),
  )
}

/** A queue may have more rows than a call has arguments. */
const longestOf = (texts: readonly string[]): number =>
  texts.reduce((most, { length }) => Math.max(most, length), 0)

/** At most so many characters, never cut in the middle of one. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).replace(/\p{Cs}$/u, '')}…`
}

/** Lists at most `most` pull requests or tests, and how many more there are. */
export function firstFew(list: readonly (number | string)[], most = 12): string {
  const shown = list.slice(0, most).join(', ')
  return list.length > most ? `${shown} and ${count(list.length - most)} more` : shown
}

function joined(...parts: readonly (readonly [number, string])[]): string {
  return parts
    .filter(([number], index) => number > 0 || index === 0)
    .map(([number, unit]) => `${count(number)} ${unit}`)
    .join(' ')
}

/** Whatever was thrown, as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The code of an error of the system or of a driver, such as `ENOENT`; empty if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

/** What a program has printed, several lines often, as words in a line of ours. */
export function joinedLines(printed: string): string {
  return printed.trim().replaceAll(/\s*\n\s*/g, ' ')
}

/**
 * A text as one word of a command for people to copy: bare if no shell reads anything in it, in double quotes if these
 * do in every shell, also on Windows, else in single quotes for a POSIX shell.
 */
export function shellWord(text: string): string {
  if (/^[\w./:=,@+-]+$/.test(text)) return text
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", String.raw`'\''`)}'` : `"${text}"`
}

// What a terminal would obey, as signs that people see. Titles, branches, names and the output of tests come from
// anybody, and can hold sequences that write elsewhere on the screen, set the clipboard or turn text around.

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
function columnsOf(text: string): number {
  return text.replaceAll(ownSequence, '').length
}

/** Text as a terminal gets it: the only sequences in it are our own. */
export function toTerminal(text: string): string {
  return visible(text).replaceAll(ownEscape, escape)
}

/**
 * `https://user:secret@host/path` becomes `https://host/path`, or has `left` there. The user of SSH is no secret, and part
 * of the address.
 */
export function withoutCredentials(text: string, left = ''): string {
  return text.replaceAll(
    /([a-z][a-z0-9+.-]*:\/\/)([^/?#\s]*)@/gi,
    (_, scheme: string, user: string) =>
      /^(?:git\+)?ssh/i.test(scheme) && !user.includes(':')
        ? `${scheme}${user}@`
        : `${scheme}${left}`,
  )
}
