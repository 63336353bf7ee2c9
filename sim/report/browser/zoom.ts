/**
 * Zooms the timeline of a report, in the reader's browser, and brings the first violation into view.
 * It stands in the page as it is compiled, so it imports nothing; without it everything is there to
 * read all the same.
 */

/** How closely one looks: the sheet is that many times as wide as the view. */
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

  /** Times `by`; the instant at `x`, in the middle if left out, stays where it is. */
  change(by: number, x = (this.#nameWidth + this.#timeline.clientWidth) / 2): void {
    const beyondName = x - this.#nameWidth
    const share = (this.#timeline.scrollLeft + beyondName) / this.#trackWidth
    this.#set(this.#factor * by)
    this.#timeline.scrollLeft = share * this.#trackWidth - beyondName
  }

  whole(): void {
    this.#set(1)
  }

  /** Shows these minutes, from edge to edge. */
  show(from: number, to: number): void {
    const length = this.#to - this.#from
    this.#set(length / Math.max(to - from, length / 1e6))
    const share = (from - this.#from) / length
    this.#timeline.scrollLeft = share * this.#trackWidth
  }

  /** Closer than a tenth of a second across nobody looks. */
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

  /** About one for every 110 points on the screen, and never so many that it takes time. */
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

function listen(timeline: HTMLElement, controls: HTMLFormElement, zoom: Zoom): void {
  const acts: Readonly<Record<string, () => void>> = {
    in: () => zoom.change(closer),
    out: () => zoom.change(1 / closer),
    whole: () => zoom.whole(),
  }
  for (const [name, act] of Object.entries(acts)) {
    controls.querySelector(`button[name=${name}]`)?.addEventListener('click', act)
  }
  const keys: Readonly<Record<string, string>> = { '+': 'in', '=': 'in', '-': 'out', '0': 'whole' }
  timeline.addEventListener('keydown', (event) => {
    const act = acts[keys[event.key] ?? '']
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
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

/** Opens the row of the first violation and shows the time around it, inside the timeline. */
function showViolation(timeline: HTMLElement, zoom: Zoom): void {
  const { openFrom, openTo } = timeline.dataset
  if (openFrom !== undefined && openTo !== undefined) zoom.show(Number(openFrom), Number(openTo))
  const row = document.getElementById('violation')?.closest('details')
  if (!row) return
  row.open = true
  const above = row.getBoundingClientRect().top - timeline.getBoundingClientRect().top
  timeline.scrollTop += above - timeline.clientHeight / 4
}

// Last, because a class has to be there before it is used.
const timeline = document.querySelector<HTMLElement>('.timeline')
const controls = document.querySelector<HTMLFormElement>('form.controls')
if (timeline && controls) {
  controls.hidden = false
  const zoom = new Zoom(timeline)
  listen(timeline, controls, zoom)
  showViolation(timeline, zoom)
}
