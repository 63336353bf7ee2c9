import type { Property } from '../observe/property.ts'
import type { Point } from '../steps/handlers.ts'
import { minute, pullRequests } from './wording.ts'

/**
 * Rules: E-100, E-103. Groups that are in the line may start again, and nothing else may start.
 * SWITCHING_MODES ends, with the new mode, when the line is empty and no bisection is under way.
 */
export const drainingStartsNothingNew: Property = {
  name: 'draining-starts-nothing-new',
  sentence:
    'A queue that is DRAINING or SWITCHING_MODES starts nothing new, and the mode changes only when the line is empty.',
  watch({ check, ledger }) {
    const { settings } = ledger

    const checkStart = (point: Point, numbers: readonly number[], what: string): void => {
      const { state } = settings
      if (state === 'PAUSED') return
      check(state === 'RUNNING', point, () => ({
        story: `At ${minute(point.at)} the queue was ${state}, and ${pullRequests(numbers)} ${what}.`,
        pullRequests: numbers,
      }))
    }
    const isEmpty = (): boolean =>
      ledger.line.groups.length === 0 && ledger.bisections.all.size === 0

    return {
      isActive: () => settings.state !== 'RUNNING' && settings.state !== 'PAUSED',
      on: {
        groupPlaced({ members, cause }, point) {
          if (cause === 'survivors' || cause === 'proven') return
          checkStart(point, members, `entered the line (${cause})`)
        },
        pullRequestSubmitted({ number, state }, point) {
          if (state === 'PENDING') checkStart(point, [number], 'was let in')
        },
        pullRequestMoved({ number, from, to }, point) {
          if (from === 'NOT_READY' && to === 'PENDING') checkStart(point, [number], 'became ready')
        },
        queueConfigured({ set }, point) {
          const { mode } = set
          if (mode === undefined || mode === settings.configuration.mode) return
          check(isEmpty(), point, () => ({
            story: `At ${minute(point.at)} the mode became ${mode} with work in the line.`,
            pullRequests: ledger.line.groups.flatMap(({ members }) => members),
          }))
        },
        queueStateChanged({ from, to }, point) {
          if (from !== 'SWITCHING_MODES') return
          check(to === 'RUNNING' && isEmpty(), point, () => ({
            story: `At ${minute(point.at)} the queue left SWITCHING_MODES for ${to} with work in the line.`,
            pullRequests: ledger.line.groups.flatMap(({ members }) => members),
          }))
        },
      },
    }
  },
}
