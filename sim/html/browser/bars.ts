/**
 * Lists the pull requests of a bar that the reader picks in a chart, and shows its tooltip, by mouse
 * and by key. The compiled file is embedded in the page, so it imports nothing. Without it, the
 * reader can unfold the lists of all bars, and a browser shows the titles of bars.
 */

/** A small text beside a bar, for a reader who points at it or moves to it by key. */
class Tip {
  readonly #box = document.createElement('div')
  #bar: Element | null = null

  constructor() {
    this.#box.className = 'tip'
    // Screen readers read the name of the bar, which is the same text.
    this.#box.ariaHidden = 'true'
    this.show(null)
    document.body.append(this.#box)
    addEventListener('scroll', () => this.#place(), { passive: true, capture: true })
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.show(null)
    })
  }

  /** Hides the text for null. */
  show(bar: Element | null): void {
    this.#bar = bar
    this.#box.hidden = bar === null
    this.#box.textContent = bar?.ariaLabel ?? ''
    this.#place()
  }

  #place(): void {
    if (!this.#bar) return
    const at = this.#bar.getBoundingClientRect()
    const { offsetWidth, offsetHeight } = this.#box
    const middle = at.left + (at.width - offsetWidth) / 2
    const rightmost = document.documentElement.clientWidth - offsetWidth - 4
    const above = at.top - offsetHeight - 6
    this.#box.style.left = `${Math.max(4, Math.min(middle, rightmost))}px`
    this.#box.style.top = `${above >= 4 ? above : at.bottom + 6}px`
  }
}

/** The lists of a chart: all of them, or that of one bar. */
class BarLists {
  readonly #details: HTMLDetailsElement
  readonly #all = document.createElement('button')
  readonly #bars: readonly SVGElement[]
  #shown: string | null = null

  constructor(details: HTMLDetailsElement, bars: readonly SVGElement[]) {
    this.#details = details
    this.#bars = bars
    this.#all.type = 'button'
    this.#all.textContent = 'list all'
    this.#all.addEventListener('click', () => {
      this.#show(null)
      details.querySelector('summary')?.focus()
    })
    details.querySelector('summary')?.after(this.#all)
    details.addEventListener('toggle', () => {
      if (!details.open) this.#show(null)
    })
    this.#show(null)
  }

  /** Opens the list of the bar, or closes it if it is open. */
  pick(bar: string): void {
    const isOpen = this.#details.open && this.#shown === bar
    this.#show(isOpen ? null : bar)
    this.#details.open = !isOpen
    if (!isOpen) this.#details.scrollIntoView({ block: 'nearest' })
  }

  #show(bar: string | null): void {
    this.#shown = bar
    this.#all.hidden = bar === null
    for (const list of this.#details.querySelectorAll<HTMLElement>('[data-bar]'))
      list.hidden = bar !== null && list.dataset['bar'] !== bar
    for (const each of this.#bars) each.ariaExpanded = String(each.dataset['bar'] === bar)
  }
}

/** Makes the bars of one drawing buttons. Tab stops at one of them, arrows move. */
class Drawing {
  readonly #svg: SVGSVGElement
  readonly #bars: readonly SVGElement[]

  constructor(svg: SVGSVGElement) {
    this.#svg = svg
    this.#bars = [...svg.querySelectorAll<SVGElement>('[data-bar]')]
    // A picture has no buttons in it, and the labels of axes are in the names of the bars.
    svg.role = 'group'
    for (const text of svg.querySelectorAll('text')) text.ariaHidden = 'true'
    for (const [index, bar] of this.#bars.entries()) makeButton(bar, index === 0)
  }

  get bars(): readonly SVGElement[] {
    return this.#bars
  }

  listen(lists: BarLists, tip: Tip): void {
    const barOf = ({ target }: Event): SVGElement | null =>
      this.#bars.find((bar) => bar === target) ?? null
    this.#svg.addEventListener('click', (event) => {
      const bar = barOf(event)
      if (bar) lists.pick(bar.dataset['bar'] ?? '')
    })
    this.#svg.addEventListener('keydown', (event) => {
      const bar = barOf(event)
      if (!bar || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key === 'Enter' || event.key === ' ') lists.pick(bar.dataset['bar'] ?? '')
      else if (!this.#move(bar, event.key)) return
      event.preventDefault()
    })
    // Not on the drawing: Chromium lets Tab stop at an SVG that listens to the focus.
    const card = this.#svg.parentElement
    for (const type of ['pointerover', 'focusin'] as const)
      card?.addEventListener(type, (event) => {
        const bar = barOf(event)
        if (bar) tip.show(bar)
      })
    for (const type of ['pointerout', 'focusout'] as const)
      card?.addEventListener(type, (event) => {
        if (barOf(event)) tip.show(null)
      })
  }

  /** Moves the focus to the nearest bar in the direction of the key; Home and End to the ends. */
  #move(from: SVGElement, key: string): boolean {
    const ends: Readonly<Record<string, number>> = { Home: 0, End: -1 }
    const end = ends[key]
    const to = end === undefined ? nearest(from, this.#bars, key) : this.#bars.at(end)
    if (end === undefined && !(key in directions)) return false
    if (!to) return true
    for (const bar of this.#bars) bar.tabIndex = bar === to ? 0 : -1
    to.focus()
    return true
  }
}

function makeButton(bar: SVGElement, isFirst: boolean): void {
  const title = bar.querySelector('title')
  bar.ariaLabel = title?.textContent ?? ''
  title?.remove()
  bar.role = 'button'
  bar.tabIndex = isFirst ? 0 : -1
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
}

/** Bars in the same row or column come first, then the others in that direction. */
function nearest(from: Element, all: readonly SVGElement[], key: string): SVGElement | undefined {
  const [right = 0, down = 0] = directions[key] ?? []
  const [x, y] = middleOf(from)
  let best: SVGElement | undefined
  let least = Infinity
  for (const each of all) {
    const [dx, dy] = [middleOf(each)[0] - x, middleOf(each)[1] - y]
    const ahead = dx * right + dy * down
    if (ahead < 1) continue
    const distance = ahead + 1000 * Math.abs(dx * down + dy * right)
    if (distance < least) [best, least] = [each, distance]
  }
  return best
}

function middleOf(bar: Element): readonly [number, number] {
  const { left, top, width, height } = bar.getBoundingClientRect()
  return [left + width / 2, top + height / 2]
}

/** A link to a pull request unfolds its row, also if the search hides it. */
function unfoldRow(link: HTMLAnchorElement): void {
  const row = document.querySelector<HTMLDetailsElement>(`details${link.hash}`)
  if (!row) return
  if (row.hidden !== false) {
    const controls = document.querySelector<HTMLFormElement>('form.controls')
    controls?.reset()
    controls?.dispatchEvent(new Event('input'))
  }
  row.open = true
  location.hash = link.hash
  // After the jump, which takes the focus away.
  row.querySelector('summary')?.focus({ preventScroll: true })
}

// At the end of the file, because a class must be defined before it is used.
const tip = new Tip()
document.getElementById('bars-hint')?.removeAttribute('hidden')
for (const details of document.querySelectorAll<HTMLDetailsElement>('details.bars')) {
  const drawings = [
    ...(details.parentElement?.querySelectorAll<SVGSVGElement>(':scope > svg') ?? []),
  ].map((svg) => new Drawing(svg))
  const lists = new BarLists(
    details,
    drawings.flatMap(({ bars }) => bars),
  )
  for (const drawing of drawings) drawing.listen(lists, tip)
  details.addEventListener('click', (event) => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    event.preventDefault()
    unfoldRow(event.target)
  })
}
