import type { Command, Event, ImpactedTargets, Parts } from '../../engine/index.ts'
import type { Property } from '../properties/property.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { simulate } from '../simulate.ts'
import { toMinutes } from '../time.ts'

/**
 * In parallel mode pull requests that share no target are nothing to each other. So a few more, in
 * a lane of their own, must not change when and how any of the others moves. Of the scenario is
 * taken what a lane is about: its people and what is true of them, with slots for everybody.
 */
export const lanesKeepApart: Property = {
  name: 'lanes-keep-apart',
  sentence:
    'In parallel mode, with slots enough, a lane of its own beside them changes nothing for the others.',
  watch: ({ makings }, findings) => ({
    onMoment: () => undefined,
    atEnd() {
      if (!makings) return
      const scenario = inLanes(makings.scenario)
      const alone = movesIn(scenario, makings.parts)
      // So many verdicts make the queue known as flaky or not: that one thing all lanes share.
      if (alone.runs > runsAtMost) return
      const beside = movesIn({ ...scenario, pullRequests: withStrangers(scenario) }, makings.parts)
      findings.check()
      const index = alone.moves.findIndex((move, place) => move.text !== beside.moves[place]?.text)
      const [first, second] = [alone.moves[index], beside.moves[index]]
      if (first === undefined && alone.moves.length === beside.moves.length) return
      const story = `Alone, ${first?.text ?? 'all is over'}; with a lane of its own beside it, ${second?.text ?? 'all is over'}.`
      const { at = 0, number } = first ?? second ?? {}
      const pullRequests = number === undefined ? [] : [number]
      findings.violate({ at, sequence: 0, story, pullRequests })
    },
  }),
}

const runsAtMost = 80
const manySlots = 1000

/** Everything that belongs to the queue as a whole is left out: it would tie the lanes together. */
function inLanes({ queue = {}, pullRequests = [], events = [], ...rest }: Scenario): Scenario {
  const { state: _state, ...settings } = queue
  const {
    traffic: _traffic,
    suiteFlakes: _flakes,
    faults: _faults,
    expect: _expect,
    ...kept
  } = rest
  return {
    ...kept,
    queue: {
      ...settings,
      mode: 'parallel',
      concurrency: manySlots,
      bisectionConcurrency: manySlots,
      directMergeMode: 'off',
    },
    pullRequests: pullRequests.map((entry) => {
      const { greenOnTip: _greenOnTip, targets, ...plain } = entry
      return { ...plain, targets: listed(targets) }
    }),
    events: events.flatMap(inLane),
    tieOrder: 'submission',
  }
}

function inLane(event: ScenarioEvent): ScenarioEvent[] {
  if (event.do === 'updateQueue' || event.do === 'setMergeable') return []
  if (event.do === 'setImpactedTargets') return [{ ...event, targets: listed(event.targets) }]
  return [event]
}

/** Who touches ALL is in every lane, and who has said nothing yet waits: neither is wanted here. */
const listed = (targets: ImpactedTargets = []): ImpactedTargets =>
  targets === 'ALL' ? ['core', 'web', 'api'] : targets

const strangers = 3
const firstStranger = 90_000_001

/** 71 ms: no time of a scenario is given so finely. */
const aBit = 71 / 60_000

/**
 * Healthy ones that come shortly after others, the first, the middle and the last. Never at one
 * instant with anything else: what is due then would be done by whoever comes first.
 */
function withStrangers({ pullRequests = [] }: Scenario): PullRequestEntry[] {
  const added = Array.from({ length: strangers }, (_, nth): PullRequestEntry => {
    const place = Math.floor((nth * (pullRequests.length - 1)) / (strangers - 1))
    const { at = 0 } = pullRequests[place] ?? {}
    return {
      number: firstStranger + nth,
      at: at + aBit,
      testMinutes: 10 + aBit,
      targets: ['a lane of its own'],
    }
  })
  return [...pullRequests, ...added]
}

type Move = { readonly text: string; readonly at: number; readonly number: number }

/** The moves of everybody who is no stranger, in order, and how many runs there were. */
function movesIn(scenario: Scenario, parts: Parts): { moves: Move[]; runs: number } {
  const moves: Move[] = []
  let runs = 0
  const see = (event: Event, { at }: Command): void => {
    if (event.type === 'testRunStarted') runs++
    if (event.type !== 'pullRequestMoved' || event.number >= firstStranger) return
    const { number, to, reason } = event
    const why = reason === null ? '' : ` (${reason})`
    moves.push({ at, number, text: `${number} becomes ${to}${why} at minute ${toMinutes(at)}` })
  }
  const reader = () => (moment: { command: Command; events: readonly Event[] }) => {
    for (const event of moment.events) see(event, moment.command)
  }
  simulate(scenario, { parts, readers: [reader], isUnhashed: true })
  return { moves, runs }
}
