/** The state of the page: what is set, and what came of it. */

import { computed, signal, batch, effect } from '@preact/signals'
import type { Figures } from '../../../../sim/result/result-document.ts'
import { reelOf, type Reel } from '../film/film.ts'
import type { Answer, OtherQueue, Wish } from '../worker/protocol.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { type ArchetypeName, firstArchetype } from '../settings/archetype-names.ts'
import { changed, changesAtFirst, fieldNames, withChange } from '../settings/changes.ts'
import type { Changes } from '../settings/changes.ts'
import { type FieldName, fields } from '../settings/fields.ts'

/** What the simulator has answered so far. */
export class Results {
  readonly figures = signal<Figures | null>(null)
  /** Those of today's setting, if it was changed. */
  readonly today = signal<Figures | null>(null)
  readonly reel = signal<Reel | null>(null)
  readonly others = signal<readonly OtherQueue[]>([])
  /** How many other queues there are; null until the first has come. */
  readonly expected = signal<number | null>(null)
  readonly hash = signal<string | null>(null)
  readonly failure = signal<string | null>(null)
  /** True from a change until its figures are there. */
  readonly isStale = signal(true)
  readonly isPictureStale = signal(true)

  readonly isComplete = computed(
    () => this.expected.value !== null && this.others.value.length === this.expected.value,
  )

  /** Older answers stay in view until newer ones come, so that nothing flickers. */
  expect(): void {
    this.isStale.value = true
    this.isPictureStale.value = true
    this.hash.value = null
    this.failure.value = null
    this.expected.value = null
  }

  take(answer: Answer): void {
    switch (answer.kind) {
      case 'figures':
        this.figures.value = answer.figures
        this.isStale.value = false
        break
      case 'today':
        this.today.value = answer.figures
        break
      case 'film':
        this.reel.value = reelOf(answer.film)
        this.isPictureStale.value = false
        break
      case 'other':
        this.others.value =
          this.expected.value === null ? [answer.other] : [...this.others.value, answer.other]
        this.expected.value = answer.other.of
        break
      case 'hashed':
        this.hash.value = answer.figures.traceHash
        break
      case 'failed':
        this.failure.value = answer.why
        break
    }
  }
}

/** Where today's setting comes from. */
type Source =
  | { readonly kind: 'archetype'; readonly name: ArchetypeName; readonly scenario: Scenario }
  /** `packed` is null if it is too long for a link. */
  | { readonly kind: 'file'; readonly scenario: Scenario; readonly packed: string | null }

export class Playground {
  readonly source = signal<Source>(sourceOf(firstArchetype))
  readonly changes = signal<Changes>({})
  readonly results = new Results()
  /** The reader asked for the hash; it is made when the film is there. */
  readonly isHashWanted = signal(false)

  /** What is simulated. */
  readonly scenario = computed(() => changed(this.source.value.scenario, this.changes.value))

  /** Today's setting on the same draw; null if nothing but the draw was changed. */
  readonly today = computed(() => {
    const { seed, ...others } = this.changes.value
    if (Object.keys(others).length === 0) return null
    return changed(this.source.value.scenario, seed === undefined ? {} : { seed })
  })

  // One worker for what is set, and one for the other queues, whose models cannot be interrupted. So a slider never waits
  // for them.
  readonly #own = new Thread((answer) => this.#take(answer))
  readonly #others = new Thread((answer) => this.#take(answer))

  #take(answer: Answer): void {
    batch(() => this.results.take(answer))
  }

  /** Simulates from now on whatever is set. */
  start(): void {
    effect(() => {
      const [scenario, today] = [this.scenario.value, this.today.value]
      batch(() => {
        this.results.expect()
        this.isHashWanted.value = false
        if (today === null) this.results.today.value = null
      })
      this.#others.send({ wants: 'nothing', scenario, today: null })
      this.#own.send({ wants: 'show', scenario, today })
    })
    effect(() => {
      if (this.results.isPictureStale.value) return
      this.#others.send({ wants: 'others', scenario: this.scenario.peek(), today: null })
    })
    effect(() => {
      if (!this.isHashWanted.value || this.results.isPictureStale.value) return
      // It ends what `show` still does.
      this.#own.send({ wants: 'hash', scenario: this.scenario.peek(), today: null })
    })
  }

  choose(name: ArchetypeName): void {
    this.show(sourceOf(name), changesAtFirst)
  }

  /** Takes another scenario as today's setting, with the changes that mean something for it. */
  show(source: Source, changes: Changes): void {
    batch(() => {
      this.source.value = source
      this.changes.value = fieldNames.reduce<Changes>((so, name) => {
        const value = changes[name]
        if (value === undefined || fields[name].read(source.scenario) === null) return so
        return withChange(source.scenario, so, [name, value])
      }, {})
    })
  }

  change(name: FieldName, value: number): void {
    this.changes.value = withChange(this.source.value.scenario, this.changes.value, [name, value])
  }

  reset(name: FieldName): void {
    const { [name]: _gone, ...others } = this.changes.value
    this.changes.value = others
  }

  resetAll(): void {
    this.changes.value = {}
  }
}

export function sourceOf(name: ArchetypeName): Source {
  return { kind: 'archetype', name, scenario: archetype(name) }
}

/** A worker, as the page sees it: `onAnswer` gets the answers to its latest wish. */
class Thread {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' })
  #last = 0

  constructor(onAnswer: (answer: Answer) => void) {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id === this.#last) onAnswer(data)
    })
    this.#worker.addEventListener('error', (event) => {
      // A worker that did not load has no message.
      const why = event instanceof ErrorEvent ? event.message : 'Its code could not be loaded.'
      onAnswer({ kind: 'failed', id: this.#last, why })
    })
  }

  send(wish: Omit<Wish, 'id'>): void {
    this.#worker.postMessage({ id: ++this.#last, ...wish })
  }
}

/** The scenario files of the archetypes, which are a part of the page. */
const files = import.meta.glob<Scenario>(
  [
    '../../../../scenarios/{small-team,startup-monorepo,midsize-monolith,monorepo-with-hubs}.json',
    '../../../../scenarios/{slow-ci-with-roll-ups,five-hundred-an-hour,hotfix}.json',
    '../../../../scenarios/{agents-arrive,changes-that-clash,stacks}.json',
    '../../../../scenarios/{sticky-failures,flaky-storm,release-freeze,synchronised-burst}.json',
    '../../../../scenarios/{storm-then-calm,parallel-storm,mode-switches-in-a-storm}.json',
  ],
  { eager: true, import: 'default' },
)

function archetype(name: ArchetypeName): Scenario {
  const scenario = files[`../../../../scenarios/${name}.json`]
  if (!scenario) throw new Error(`the page was built without the scenario ${name}`)
  return scenario
}
