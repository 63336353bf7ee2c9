import type { Command, Event, ImpactedTargets, EngineParts } from '../../engine/index.ts'
import type { Property } from '../observe/property.ts'
import type { PullRequestEntry, Scenario, ScenarioEvent } from '../scenario/scenario.ts'
import { simulate } from '../run/simulate.ts'
import { toMinutes } from '../scenario/time.ts'

/**
 * In parallel mode pull requests that share no target do not affect each other. So a few extra ones
 * in a separate lane must not change when and how any of the others moves. The relation runs the
 * pull requests of the scenario, with their truth, in a queue with enough slots for all.
 *
 * All lanes share what the queue knows about flakes. A commit of another lane can change it: it makes
 * a repeated run one of another composition, so a flake remains unnoticed (E-13, E-82). What follows
 * on such a difference is left out.
 */
export const lanesKeepApart: Property = {
  name: 'lanes-keep-apart',
  sentence:
    'In parallel mode, with enough slots, pull requests in a lane of their own change nothing for the others.',
  watch: ({ inputs, check, leaveOut }) => ({
    atEnd() {
      if (!inputs) return
      const scenario = inLanes(inputs.scenario)
      const alone = movesIn(scenario, inputs.parts)
      // After more runs the engine may know flaky tests, and all lanes share that knowledge.
      if (alone.runs > runsAtMost) return
      const together = movesIn(
        { ...scenario, pullRequests: withExtraPullRequests(scenario) },
        inputs.parts,
      )
      const index = alone.moves.findIndex(
        (move, position) => move.text !== together.moves[position]?.text,
      )
      const [first, second] = [alone.moves[index], together.moves[index]]
      const isSame = first === undefined && alone.moves.length === together.moves.length
      const isExcused = isAboutFlakes(first) || isAboutFlakes(second)
      if (isExcused) leaveOut()
      const { at = 0, number = null } = first ?? second ?? {}
      check(isSame || isExcused, { at, sequence: 0 }, () => ({
        story: `Alone, ${first?.text ?? 'all is over'}; with a lane of its own beside it, ${second?.text ?? 'all is over'}.`,
        pullRequests: number === null ? [] : [number],
      }))
    },
  }),
}

const runsAtMost = 80
const manySlots = 1000

/**
 * Leaves out everything that belongs to the queue as a whole, because it would connect the lanes.
 */
function inLanes({ queue = {}, pullRequests = [], events = [], ...rest }: Scenario): Scenario {
  const { state: _state, ...settings } = queue
  const {
    traffic: _traffic,
    suiteFlakes: _flakes,
    faults: _faults,
    mend: _mend,
    suite: { startDelay: _startDelay, ...suite } = {},
    expect: _expect,
    ...kept
  } = rest
  return {
    ...kept,
    suite,
    queue: {
      ...settings,
      mode: 'parallel',
      concurrency: manySlots,
      bisectionConcurrency: manySlots,
      directMergeMode: 'off',
      // The adaptive policy reads rates of the whole queue.
      policy: 'documented',
      // So does what is known of the tip.
      tipTestMode: 'off',
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
  // The line of every lane decides whether a host is attached, and whether somebody is forgotten.
  if (event.do === 'attachHost' || event.do === 'forget') return []
  if (event.do === 'setImpactedTargets') return [{ ...event, targets: listed(event.targets) }]
  return [event]
}

/**
 * Replaces ALL, which is in every lane, and missing targets, which would make the pull request
 * wait.
 */
const listed = (targets: ImpactedTargets = []): ImpactedTargets =>
  targets === 'ALL' ? ['core', 'web', 'api'] : targets

const extraPullRequests = 3
const firstStranger = 90_000_001

/** 71 ms: no time in a scenario has such a fraction. */
const aBit = 71 / 60_000

/**
 * Adds healthy pull requests shortly after the first, the middle and the last one. They are never
 * submitted at the same time as another command, because the order of the two could matter.
 */
function withExtraPullRequests({ pullRequests = [], queue = {} }: Scenario): PullRequestEntry[] {
  // One whose run takes too long would come again, at the time of another command.
  const { testingTimeoutMinutes: limit = 20 } = queue
  const added = Array.from({ length: extraPullRequests }, (_, nth): PullRequestEntry => {
    const position = Math.floor((nth * (pullRequests.length - 1)) / (extraPullRequests - 1))
    const { at = 0 } = pullRequests[position] ?? {}
    return {
      number: firstStranger + nth,
      at: at + aBit,
      testMinutes: Math.min(10, limit / 2) + aBit,
      targets: ['a lane of its own'],
    }
  })
  return [...pullRequests, ...added]
}

/** A move, or with null for the number what the queue has come to know about flakes. */
type TracedMove = { readonly text: string; readonly at: number; readonly number: number | null }

const isAboutFlakes = (move: TracedMove | undefined): boolean => move?.number === null

/**
 * The moves of all pull requests except the extra ones and what becomes known about flakes, in order,
 * and the number of runs.
 */
function movesIn(scenario: Scenario, parts: EngineParts): { moves: TracedMove[]; runs: number } {
  const moves: TracedMove[] = []
  let runs = 0
  const onEvent = (event: Event, { at }: Command): void => {
    if (event.type === 'testRunStarted') runs++
    if (event.type === 'verdictContradicted' || event.type === 'flakyTestsSeen')
      moves.push({ at, number: null, text: `${event.type} ${event.flakyTests.join()} ${at}` })
    if (event.type !== 'pullRequestMoved' || event.number >= firstStranger) return
    const { number, to, reason } = event
    const reasonText = reason === null ? '' : ` (${reason})`
    moves.push({
      at,
      number,
      text: `${number} becomes ${to}${reasonText} at minute ${toMinutes(at)}`,
    })
  }
  const observer = () => (step: { command: Command; events: readonly Event[] }) => {
    for (const event of step.events) onEvent(event, step.command)
  }
  simulate(scenario, { parts, observers: [observer], isUnhashed: true })
  return { moves, runs }
}
