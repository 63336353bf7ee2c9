import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-45, E-99. Runs under way go on and their results are kept. A merge that the code host
 * works on may land, and a batch that is partly merged is finished.
 */
export const pausedMeansPaused: Property = {
  name: 'paused-means-paused',
  sentence:
    'A PAUSED queue starts no run, lets no pull request in, and merges nothing whose merging had not begun.',
  watch({ check, ledger }) {
    const { settings } = ledger

    const forbid = (
      point: Point,
      numbers: readonly number[],
      what: (numbersText: string) => string,
    ): void => {
      if (settings.state !== 'PAUSED') return
      check(false, point, () => ({
        story: `At ${minute(point.at)} the queue was PAUSED, and ${what(pullRequests(numbers))}.`,
        pullRequests: numbers,
      }))
    }

    return {
      isActive: () => settings.state === 'PAUSED',
      on: {
        testRunStarted({ run }, point) {
          const kind = run.owner.kind === 'main' ? 'run' : 'bisection run'
          forbid(point, run.tested, (numbersText) => `${kind} ${run.id} started for ${numbersText}`)
        },
        groupPlaced({ members, cause }, point) {
          if (cause === 'survivors' || cause === 'proven') return
          forbid(point, members, (numbersText) => `${numbersText} entered the line (${cause})`)
        },
        pullRequestSubmitted({ number, state }, point) {
          if (state === 'PENDING')
            forbid(point, [number], (numbersText) => `${numbersText} was let in`)
        },
        mergeRequested({ number }, point) {
          if (ledger.line.groupOf(number)?.isPartlyMerged === true) return
          forbid(point, [number], (numbersText) => `the merge of ${numbersText} was asked for`)
        },
        pullRequestMoved({ number, from, to }, point) {
          if (from === 'NOT_READY' && to === 'PENDING') {
            forbid(point, [number], (numbersText) => `${numbersText} became ready`)
          }
        },
        pullRequestEnded({ number, to, reason }, point) {
          if (to !== 'MERGED' || reason === 'MANUAL_MERGE') return
          const group = ledger.line.groupOf(number)
          if (group?.isPartlyMerged === true || group?.merging.includes(number)) return
          forbid(point, [number], (numbersText) => `${numbersText} merged`)
        },
      },
      // Counts one check for every command during which the queue was PAUSED.
      atRest(point) {
        if (settings.state === 'PAUSED') check(true, point, nothing)
      },
    }
  },
}

const nothing = (): { story: string; pullRequests: number[] } => ({ story: '', pullRequests: [] })
