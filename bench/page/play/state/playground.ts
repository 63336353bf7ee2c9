/** The state of the page, as signals: what is set, and what came of it. */

import { computed, signal, batch, effect } from '@preact/signals'
import type { Figures } from '../../../../sim/result/result-document.ts'
import { reelOf, type Reel } from '../film/film.ts'
import type { Answer, OtherQueue, PageRequest } from '../worker/protocol.ts'
import type { Scenario } from '../../../../sim/scenario/scenario.ts'
import { type ArchetypeName, firstArchetype } from '../settings/archetype-names.ts'
import { changed, fieldNames, withChange } from '../settings/changes.ts'
import type { Changes } from '../settings/changes.ts'
import { type FieldName, fields } from '../settings/fields.ts'

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

/** Where today's setting comes from. */
type Source =
  | { readonly kind: 'archetype'; readonly name: ArchetypeName; readonly scenario: Scenario }
  /** `packed` is null if it is too long for a link. */
  | { readonly kind: 'file'; readonly scenario: Scenario; readonly packed: string | null }

export function sourceOf(name: ArchetypeName): Source {
  return { kind: 'archetype', name, scenario: archetype(name) }
}

export const source = signal<Source>(sourceOf(firstArchetype))
export const changes = signal<Changes>({})
/** The reader asked for the hash; it is made when the film is there. */
export const isHashWanted = signal(false)

/** What is simulated. */
export const scenario = computed(() => changed(source.value.scenario, changes.value))

/** Today's setting on the same draw; null if nothing but the draw was changed. */
const today = computed(() => {
  const { seed, ...others } = changes.value
  if (Object.keys(others).length === 0) return null
  return changed(source.value.scenario, seed === undefined ? {} : { seed })
})

/** Takes another scenario as today's setting, with the changes that mean something for it. */
export function show(next: Source, requested: Changes): void {
  batch(() => {
    source.value = next
    changes.value = fieldNames.reduce<Changes>((so, name) => {
      const value = requested[name]
      if (value === undefined || fields[name].read(next.scenario) === null) return so
      return withChange(next.scenario, so, [name, value])
    }, {})
  })
}

export function change(name: FieldName, value: number): void {
  changes.value = withChange(source.value.scenario, changes.value, [name, value])
}

export function reset(name: FieldName): void {
  const { [name]: _gone, ...others } = changes.value
  changes.value = others
}

/** What the simulator has answered so far. Older answers stay in view until newer ones come, so that nothing flickers. */
export const results = {
  figures: signal<Figures | null>(null),
  /** Those of today's setting, if it was changed. */
  today: signal<Figures | null>(null),
  reel: signal<Reel | null>(null),
  others: signal<readonly OtherQueue[]>([]),
  /** How many other queues there are; null until the first has come. */
  expected: signal<number | null>(null),
  hash: signal<string | null>(null),
  failure: signal<string | null>(null),
  /** True from a change until its figures are there. */
  isStale: signal(true),
  isPictureStale: signal(true),
}

function expectResults(): void {
  results.isStale.value = true
  results.isPictureStale.value = true
  results.hash.value = null
  results.failure.value = null
  results.expected.value = null
  isHashWanted.value = false
  if (today.value === null) results.today.value = null
}

function take(answer: Answer): void {
  const { figures, reel, others, expected, hash, failure, isStale, isPictureStale } = results
  switch (answer.kind) {
    case 'figures':
      figures.value = answer.figures
      isStale.value = false
      break
    case 'today':
      results.today.value = answer.figures
      break
    case 'film':
      reel.value = reelOf(answer.film)
      isPictureStale.value = false
      break
    case 'other':
      others.value = expected.value === null ? [answer.other] : [...others.value, answer.other]
      expected.value = answer.other.of
      break
    case 'hashed':
      hash.value = answer.figures.traceHash
      break
    case 'failed':
      failure.value = answer.why
      break
  }
}

/** Simulates from now on whatever is set. */
export function startSimulating(): void {
  // One worker for what is set, and one for the other queues, whose models cannot be interrupted. So a slider never waits
  // for them.
  const [own, others] = [new Thread(), new Thread()]
  effect(() => {
    const asked = { scenario: scenario.value, today: today.value }
    batch(expectResults)
    others.send({ ...asked, wants: 'nothing' })
    own.send({ ...asked, wants: 'show' })
  })
  effect(() => {
    if (results.isPictureStale.value) return
    others.send({ wants: 'others', scenario: scenario.peek(), today: null })
  })
  effect(() => {
    if (!isHashWanted.value || results.isPictureStale.value) return
    // It ends what `show` still does.
    own.send({ wants: 'hash', scenario: scenario.peek(), today: null })
  })
}

/** A worker, as the page sees it: the answers to its latest request count. */
class Thread {
  readonly #worker = new Worker(new URL('../worker/worker.ts', import.meta.url), { type: 'module' })
  #last = 0

  constructor() {
    this.#worker.addEventListener('message', ({ data }: MessageEvent<Answer>) => {
      if (data.id === this.#last) batch(() => take(data))
    })
    this.#worker.addEventListener('error', (event) => {
      // A worker that did not load has no message.
      const why = event instanceof ErrorEvent ? event.message : 'Its code could not be loaded.'
      take({ kind: 'failed', id: this.#last, why })
    })
  }

  send(request: Omit<PageRequest, 'id'>): void {
    this.#worker.postMessage({ id: ++this.#last, ...request })
  }
}
