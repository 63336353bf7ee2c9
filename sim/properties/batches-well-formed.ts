import type { Millis } from '../../engine/index.ts'
import { batchSize } from '../ledger/batch-size.ts'
import { fillingGroups } from '../ledger/filling-groups.ts'
import { urgentPriority } from '../ledger/waiting-list.ts'
import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

const minuteMs = 60_000

/** In lanes the wait of a batch is checked only while no more pull requests wait. */
const waitingAtMost = 100

type Request = { priority: number; noBatch: boolean; flakeReturns: number }

/**
 * A pull request that came back more often than this from a bisection that found a flake is tested
 * alone.
 */
const flakeReturnsInCompany = 3

/**
 * Rules: E-30, E-31, E-32, E-33, E-87, E-97, E-115, E-121, E-225. The size is checked when the batch is formed: later settings do not
 * change it. That a pull request is tested alone is checked whenever a run starts.
 */
export const batchesWellFormed: Property = {
  name: 'batches-well-formed',
  sentence:
    'No batch is formed above the target size, or above what each slot gets of those that wait and half an expected failure where batches grow, none starts below that before a member has waited the maximum wait, and no main run tests together with others a pull request that is noBatch, urgent when it started, or came back too often from a flake.',
  watch({ check, ledger }) {
    const { settings, waiting } = ledger
    const requests = new Map<number, Request>()
    let endedAsFlake = false

    /** A batch may start below its size only if it has waited, or nobody more can join. */
    const faultOfStart = (members: readonly number[], at: Millis): string | null => {
      const size = batchSize(ledger)
      const { mode, batchingMaxWaitTimeMinutes } = settings.configuration
      if (size === 1 || (mode === 'parallel' && waiting.pending > waitingAtMost)) return null
      if (mode === 'single' && members.length === size) return null
      const group = fillingGroups(ledger, size).find(
        ({ members: [first] }) => first?.number === members[0],
      )
      if (!group) return 'which may not start yet'
      const missing = group.members.find(({ number }) => !members.includes(number))
      if (missing) return `without ${missing.number}, which could join`
      const since = Math.min(...group.members.map(({ pendingSince }) => pendingSince ?? Infinity))
      const isDue = at - since >= batchingMaxWaitTimeMinutes * minuteMs
      return group.isComplete || isDue ? null : 'although none of them had waited long enough'
    }
    const checkFilled = (members: readonly number[], point: Point): void => {
      const fault = faultOfStart(members, point.at)
      check(fault === null, point, () => ({
        story: `A group of ${pullRequests(members)} started at ${minute(point.at)}, ${fault ?? ''}.`,
        pullRequests: members,
      }))
    }
    const mustBeAlone = (number: number): boolean => {
      const request = requests.get(number)
      return (
        request !== undefined && (request.noBatch || request.flakeReturns > flakeReturnsInCompany)
      )
    }

    return {
      on: {
        pullRequestSubmitted({ number, priority, noBatch }) {
          requests.set(number, { priority, noBatch, flakeReturns: 0 })
        },
        pullRequestRewritten({ number, priority, noBatch }) {
          const request = requests.get(number)
          if (request) Object.assign(request, { priority, noBatch })
        },
        pullRequestEnded: ({ number }) => void requests.delete(number),
        bisectionEnded({ flake }) {
          endedAsFlake = flake
        },
        groupPlaced({ group, members, cause }, point) {
          if (cause === 'survivors' && endedAsFlake) {
            for (const number of members) {
              const request = requests.get(number)
              if (request) request.flakeReturns++
            }
          }
          if (cause !== 'formed' && cause !== 'urgent' && cause !== 'direct merge') return
          const limit = cause === 'formed' ? batchSize(ledger) : 1
          check(members.length <= limit, point, () => ({
            story: `Group ${group} was formed of ${pullRequests(members)}, but at most ${limit} may be tested together.`,
            pullRequests: members,
          }))
          if (cause === 'formed') checkFilled(members, point)
          const urgent = members.find((number) => requests.get(number)?.priority === urgentPriority)
          check(members.length === 1 || urgent === undefined, point, () => ({
            story: `Group ${group} was formed of ${pullRequests(members)}, although ${urgent ?? 0} is urgent.`,
            pullRequests: members,
          }))
        },
        testRunStarted({ run }, point) {
          if (run.owner.kind !== 'main') return
          const alone = run.tested.length > 1 ? run.tested.find(mustBeAlone) : undefined
          check(alone === undefined, point, () => ({
            story: `Run ${run.id} tests ${pullRequests(run.tested)} together, although ${alone ?? 0} must be tested alone.`,
            pullRequests: run.tested,
          }))
        },
      },
      atCommand() {
        endedAsFlake = false
      },
    }
  },
}
