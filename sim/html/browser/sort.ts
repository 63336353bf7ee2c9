/**
 * Sorts the rows of tables by a column, in the reader's browser. The compiled file is embedded in
 * the page, so it imports nothing. Without it, the rows keep the order of the page.
 */

/** The number of a cell is in its `data` element; a cell without one is sorted by its text. */
type SortKey = { readonly value: number | null; readonly text: string }

function keyOf(row: HTMLTableRowElement, column: number): SortKey {
  const cell = row.cells[column]
  const data = cell?.querySelector('data')
  const value = data ? Number.parseFloat(data.value) : null
  return { value, text: cell?.textContent.trim().toLowerCase() ?? '' }
}

/** Numbers come before texts, and empty cells last, in both directions. */
function compare(a: SortKey, b: SortKey, sign: 1 | -1): number {
  if (a.value !== null && b.value !== null) return sign * (a.value - b.value)
  if (a.value !== null || b.value !== null) return a.value === null ? 1 : -1
  if (a.text === '' || b.text === '') return Number(a.text === '') - Number(b.text === '')
  return sign * a.text.localeCompare(b.text, 'en')
}

/** Sorts by the column, or turns the order around if it is sorted by it already. */
function sortBy(table: HTMLTableElement, column: number): void {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])]
  const body = table.tBodies[0]
  const head = heads[column]
  if (!head || !body) return
  const isUp = head.ariaSort !== 'ascending'
  for (const each of heads) each.removeAttribute('aria-sort')
  head.setAttribute('aria-sort', isUp ? 'ascending' : 'descending')
  const keyed = [...body.rows].map((row) => ({ row, key: keyOf(row, column) }))
  keyed.sort((a, b) => compare(a.key, b.key, isUp ? 1 : -1))
  body.append(...keyed.map(({ row }) => row))
}

function makeSortable(table: HTMLTableElement): void {
  for (const [column, head] of [...(table.tHead?.rows[0]?.cells ?? [])].entries()) {
    const button = document.createElement('button')
    button.type = 'button'
    button.append(...head.childNodes)
    button.addEventListener('click', () => sortBy(table, column))
    head.append(button)
  }
}

for (const table of document.querySelectorAll<HTMLTableElement>('.sortable > table')) {
  makeSortable(table)
}
