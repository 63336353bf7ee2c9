/**
 * Searches the rows of a timeline and moves between them by key, in the reader's browser. The
 * compiled file is embedded in the page, so it imports nothing. Without it, the page still shows all
 * rows, and Tab stops at each.
 */

/** Moves the focus between rows by key. Tab stops at only one of them. */
class RowFocus {
  readonly #rows: readonly HTMLDetailsElement[]
  #current: HTMLElement | null = null

  constructor(rows: readonly HTMLDetailsElement[]) {
    this.#rows = rows
    for (const row of rows) {
      const summary = row.querySelector('summary')
      summary?.addEventListener('focus', () => this.#stopAt(summary))
    }
    this.refresh()
  }

  /** Call this after rows were shown or hidden. */
  refresh(): void {
    const stops = this.#stops()
    for (const stop of stops) stop.tabIndex = -1
    const isThere = this.#current !== null && stops.includes(this.#current)
    this.#stopAt(isThere ? this.#current : (stops[0] ?? null))
  }

  /** Moves the focus by this many rows. Returns false if the focus was not on a row. */
  move(by: number): boolean {
    const stops = this.#stops()
    const index = stops.findIndex((stop) => stop === document.activeElement)
    if (index === -1) return false
    stops[Math.min(stops.length - 1, Math.max(0, index + by))]?.focus()
    return true
  }

  first(): HTMLDetailsElement | null {
    const row = this.#rows.find((each) => each.classList.contains('pr') && isShown(each))
    row?.querySelector('summary')?.focus()
    return row ?? null
  }

  #stopAt(stop: HTMLElement | null): void {
    if (this.#current) this.#current.tabIndex = -1
    this.#current = stop
    if (stop) stop.tabIndex = 0
  }

  #stops(): HTMLElement[] {
    return this.#rows
      .filter((row) => isShown(row) && row.offsetParent !== null)
      .flatMap((row) => row.querySelector('summary') ?? [])
  }
}

const isShown = (row: HTMLElement): boolean => row.hidden === false

function search(
  controls: HTMLFormElement,
  rows: readonly HTMLDetailsElement[],
  onChange: () => void,
): void {
  const words = field(controls, 'search')
  const kind = field(controls, 'kind')
  const found = controls.querySelector('output')
  const pullRequests = rows.filter((row) => row.classList.contains('pr'))
  const texts = new Map<HTMLElement, string>()
  const textOf = (row: HTMLElement): string => {
    const text = texts.get(row) ?? row.textContent.toLowerCase()
    texts.set(row, text)
    return text
  }
  const apply = (): void => {
    const wanted = words.value.trim().toLowerCase()
    const matches = matcherOf(wanted)
    let shown = 0
    for (const row of pullRequests) {
      const isWanted =
        (kind.value === '' || row.classList.contains(kind.value)) &&
        (wanted === '' || matches(textOf(row)))
      row.hidden = !isWanted
      if (isWanted) shown++
    }
    const isAll = wanted === '' && kind.value === ''
    if (found) found.textContent = isAll ? '' : `${shown} of ${pullRequests.length}`
    onChange()
  }
  controls.addEventListener('input', apply)
  apply()
}

/** Returns the filter for a search: a number must match as a whole, other text anywhere. */
function matcherOf(wanted: string): (text: string) => boolean {
  if (!/^#?\d+$/.test(wanted)) return (text) => text.includes(wanted)
  const number = new RegExp(`\\b${wanted.replace('#', '')}\\b`)
  return (text) => number.test(text)
}

type Field = { value: string; focus(): void; select?(): void }

function field(controls: HTMLFormElement, name: string): Field {
  const found = controls.elements.namedItem(name)
  if (found instanceof HTMLInputElement || found instanceof HTMLSelectElement) return found
  throw new Error(`the controls have no ${name}`)
}

function listen(timeline: HTMLElement, controls: HTMLFormElement, rowFocus: RowFocus): void {
  controls.addEventListener('submit', (event) => {
    event.preventDefault()
    const row = rowFocus.first()
    if (row) row.open = true
  })
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    Home: -Infinity,
    End: Infinity,
  }
  timeline.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    if (rowFocus.move(step)) event.preventDefault()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    field(controls, 'search').focus()
  })
}

// At the end of the file, because a class must be defined before it is used.
const timeline = document.querySelector<HTMLElement>('.timeline')
const controls = document.querySelector<HTMLFormElement>('form.controls')
if (timeline && controls) {
  const rows = [...timeline.querySelectorAll<HTMLDetailsElement>('details.row')]
  const rowFocus = new RowFocus(rows)
  search(controls, rows, () => rowFocus.refresh())
  listen(timeline, controls, rowFocus)
}
