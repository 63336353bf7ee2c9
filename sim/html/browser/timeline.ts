/**
 * Zooms the timeline of a report in the reader's browser, scrolls to where it opens, searches its rows
 * and moves between them by key. The compiled file is embedded in the page, so it imports nothing.
 * Without it, the page still shows all content, and Tab stops at each row.
 */

/** The zoom of a timeline. Its factor is the width of the sheet divided by the width of the view. */
class Zoom {
  readonly #timeline: HTMLElement
  readonly #from: number
  readonly #to: number
  readonly #steps: readonly number[]
  #factor = 1

  constructor(timeline: HTMLElement) {
    this.#timeline = timeline
    this.#from = Number(timeline.dataset['from'])
    this.#to = Number(timeline.dataset['to'])
    this.#steps = (timeline.dataset['steps'] ?? '').split(' ').map(Number)
    this.#drawTicks()
    addEventListener('resize', () => this.#drawTicks())
  }

  /** Multiplies the zoom by `by`. The instant at `x` (default: the middle) keeps its position. */
  change(by: number, x = (this.#nameWidth + this.#timeline.clientWidth) / 2): void {
    const beyondName = x - this.#nameWidth
    const share = (this.#timeline.scrollLeft + beyondName) / this.#trackWidth
    this.#set(this.#factor * by)
    this.#timeline.scrollLeft = share * this.#trackWidth - beyondName
  }

  whole(): void {
    this.#set(1)
  }

  /** Shows the time from `from` to `to`, in minutes. */
  show(from: number, to: number): void {
    const length = this.#to - this.#from
    this.#set(length / Math.max(to - from, length / 1e6))
    const share = (from - this.#from) / length
    this.#timeline.scrollLeft = share * this.#trackWidth
  }

  /** Limits the factor to 1 to 2000, and the view to at least a tenth of a minute. */
  #set(factor: number): void {
    const closest = Math.max(1, (this.#to - this.#from) * 10)
    this.#factor = Math.min(Math.max(1, factor), closest, 2000)
    this.#timeline.style.setProperty('--zoom', String(this.#factor))
    this.#drawTicks()
  }

  get #nameWidth(): number {
    return this.#track?.offsetLeft ?? 0
  }

  get #trackWidth(): number {
    return Math.max(1, this.#track?.clientWidth ?? 0)
  }

  get #track(): HTMLElement | null {
    return this.#timeline.querySelector('.axis > div')
  }

  /** Draws a tick about every 110 pixels, but never so many that drawing is slow. */
  #drawTicks(): void {
    const length = this.#to - this.#from
    const wanted = Math.min(2000, Math.max(2, this.#trackWidth / 110))
    const step = this.#steps.find((each) => length / each <= wanted) ?? length / wanted
    const ticks: HTMLElement[] = []
    for (let index = Math.ceil(this.#from / step); index * step <= this.#to; index++) {
      const tick = document.createElement('span')
      tick.style.left = `${(100 * (index * step - this.#from)) / length}%`
      tick.textContent = labelOf(index * step)
      ticks.push(tick)
    }
    this.#track?.replaceChildren(...ticks)
    this.#keepInside(ticks)
  }

  /** A label that would be cut at the right end stands to the left of its tick. */
  #keepInside(ticks: readonly HTMLElement[]): void {
    for (const tick of ticks.toReversed()) {
      if (tick.offsetLeft + tick.offsetWidth <= this.#trackWidth) return
      tick.classList.add('last')
    }
  }
}

function labelOf(minutes: number): string {
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  const rest = Math.round((minutes % 60) * 10) / 10
  const parts = [
    ...(days > 0 ? [`${days} d`] : []),
    ...(hours > 0 ? [`${hours} h`] : []),
    ...(rest > 0 ? [`${rest} min`] : []),
  ]
  return parts.length === 0 ? '0' : parts.join(' ')
}

const closer = 1.6

function listenToZoom(timeline: HTMLElement, controls: HTMLFormElement, zoom: Zoom): void {
  const acts: Readonly<Record<string, () => void>> = {
    in: () => zoom.change(closer),
    out: () => zoom.change(1 / closer),
    whole: () => zoom.whole(),
  }
  for (const [name, act] of Object.entries(acts)) {
    controls.querySelector(`button[name=${name}]`)?.addEventListener('click', act)
  }
  const find = (): void => field(controls, 'search').focus()
  const keys: Readonly<Record<string, (() => void) | undefined>> = {
    '+': acts['in'],
    '=': acts['in'],
    '-': acts['out'],
    '0': acts['whole'],
    '/': find,
  }
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
    const act = keys[event.key]
    if (!act || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    act()
  })
  timeline.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      zoom.change(2 ** (-event.deltaY / 200), event.clientX - timeline.getBoundingClientRect().left)
    },
    { passive: false },
  )
}

/** A link to a pull request also scrolls to the time at which it was in the queue. */
function showTarget(timeline: HTMLElement): void {
  const bar = timeline.querySelector('.row.pr:target path')
  if (!bar) return
  const [{ left, right }, view] = [bar.getBoundingClientRect(), timeline.getBoundingClientRect()]
  const isSeen = right > view.left + timeline.clientWidth / 4 && left < view.right
  if (!isSeen) timeline.scrollLeft += left - view.left - timeline.clientWidth / 2
}

/** Shows the time and the row that the timeline opens at, and expands the row of a violation. */
function showOpening(timeline: HTMLElement, zoom: Zoom): void {
  const { openFrom, openTo, openRow = '' } = timeline.dataset
  if (openFrom !== undefined && openTo !== undefined) zoom.show(Number(openFrom), Number(openTo))
  const violation = document.getElementById('violation')?.closest('details')
  if (violation) violation.open = true
  const row = violation ?? document.getElementById(openRow)
  if (!row) return
  const above = row.getBoundingClientRect().top - timeline.getBoundingClientRect().top
  timeline.scrollTop += above - timeline.clientHeight / (violation ? 4 : 8)
}

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

function listenToRows(timeline: HTMLElement, controls: HTMLFormElement, rowFocus: RowFocus): void {
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
}

// At the end of the file, because a class must be defined before it is used.
const timeline = document.querySelector<HTMLElement>('.timeline')
const controls = document.querySelector<HTMLFormElement>('form.controls')
if (timeline && controls) {
  controls.hidden = false
  const zoom = new Zoom(timeline)
  const rows = [...timeline.querySelectorAll<HTMLDetailsElement>('details.row')]
  const rowFocus = new RowFocus(rows)
  listenToZoom(timeline, controls, zoom)
  showOpening(timeline, zoom)
  addEventListener('hashchange', () => showTarget(timeline))
  search(controls, rows, () => rowFocus.refresh())
  listenToRows(timeline, controls, rowFocus)
}
