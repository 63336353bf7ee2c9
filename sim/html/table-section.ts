/** What a command tells, as a value: a page has it as a section, and a terminal as lines. */

import type { Look } from '../../server/terminal/output.ts'
import { columns, folded } from '../../server/terminal/text.ts'
import { html } from './html.ts'
import type { Section } from './page.ts'
import { type Cell, type Table, bullets, table } from './components.ts'

export type TableSection = {
  /** The target of links to the section. */
  readonly id: string
  readonly title: string
  readonly about?: string
  readonly table?: Table<Cell>
  /** Sentences: notes on the table, or what stands instead of one. */
  readonly words?: readonly string[]
}

const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text)

/** The section of a page. Sentences under a table are notes on it; without a table they are a list. */
export function htmlSection(section: TableSection): Section {
  const { id, title, about, words = [] } = section
  const notes = words.map((each) => html`<p class="soft">${each}</p>`)
  const shown = section.table && section.table.rows.length > 0 ? table(section.table, title) : null
  const body = section.table ? [shown, ...notes] : bullets(words)
  return { id, title, body, ...(about === undefined ? {} : { about }) }
}

/** The lines of a terminal: title, table, sentences, folded to the width of `look`. */
export function textSection(
  { title, about, table: shown, words = [] }: TableSection,
  look: Look,
): string {
  const { colors, width } = look
  const lines = [...(about === undefined ? [] : [about]), ...words]
  const sentences = folded(lines.map((line) => `  ${line}\n`).join(''), width)
  return `${colors.bold(title)}\n${shown ? tableText(shown, width) : ''}${sentences}`
}

/** The table in aligned columns, at most `width` characters wide; null: as wide as it is. Empty without rows. */
export function tableText({ head, rows }: Table<Cell>, width: number | null): string {
  if (rows.length === 0) return ''
  const titles = head.map((column) => (typeof column === 'string' ? column : column.title))
  const right = head.flatMap((column, index) => (typeof column === 'string' ? [] : [index]))
  const cells = rows.map((row) => row.map(textOf))
  const longest = titles.map((_, index) =>
    cells.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0),
  )
  return columns([...headOf(titles, longest), ...cells], right, width)
}

/** A title that is longer than what is below it has two lines. */
function headOf(titles: readonly string[], longest: readonly number[]): string[][] {
  const cut = titles.map((title, index): readonly [top: string, bottom: string] => {
    const spaces = [...title.matchAll(/ (?!%)/g)].map((each) => each.index)
    const space = spaces.find((at) => at > title.length / 2 - 4) ?? 0
    const isLong = title.length > (longest[index] ?? 0) && space > 0
    return isLong ? [title.slice(0, space), title.slice(space + 1)] : ['', title]
  })
  const tops = cut.map(([top]) => top)
  return [...(tops.every((top) => top === '') ? [] : [tops]), cut.map(([, bottom]) => bottom)]
}
