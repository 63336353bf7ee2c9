/** What decides about survivors in the line: since when they wait, and whether they must be alone. */

import type { EventOf, Millis, PullRequestNumber } from '../../engine/index.ts'
import type { Projection } from './projection.ts'
import { urgentPriority } from './waiting-list.ts'

/** Flakes may send a pull request back this often before it is tested alone (E-87). */
const flakeReturnsInCompany = 3

type Request = { priority: number; noBatch: boolean; flakeReturns: number; pendingSince: Millis }

export type Returned = Projection & {
  /** When it became PENDING the last time. */
  pendingSince(number: PullRequestNumber): Millis
  mustBeAlone(number: PullRequestNumber): boolean
}

export function returned(): Returned {
  const requests = new Map<PullRequestNumber, Request>()
  /** The members that each bisection has proven and not merged. */
  const proven = new Map<number, Set<PullRequestNumber>>()
  const prove = ({ bisection, members }: EventOf<'membersProven'>): void => {
    const all = proven.get(bisection) ?? new Set()
    for (const number of members) all.add(number)
    proven.set(bisection, all)
  }
  const end = ({ bisection, flake }: EventOf<'bisectionEnded'>): void => {
    for (const number of flake ? (proven.get(bisection) ?? []) : []) {
      const request = requests.get(number)
      if (request) request.flakeReturns++
    }
    proven.delete(bisection)
  }
  return {
    pendingSince: (number) => requests.get(number)?.pendingSince ?? Infinity,
    mustBeAlone(number) {
      const request = requests.get(number)
      if (!request) return false
      const { priority, noBatch, flakeReturns } = request
      return noBatch || priority === urgentPriority || flakeReturns > flakeReturnsInCompany
    },
    on: {
      pullRequestSubmitted({ number, priority, noBatch }, { at }) {
        requests.set(number, { priority, noBatch, flakeReturns: 0, pendingSince: at })
      },
      pullRequestRewritten({ number, priority, noBatch }) {
        const request = requests.get(number)
        if (request) Object.assign(request, { priority, noBatch })
      },
      pullRequestMoved({ number, to }, { at }) {
        const request = to === 'PENDING' ? requests.get(number) : undefined
        if (request) request.pendingSince = at
      },
      pullRequestEnded: ({ number }) => void requests.delete(number),
      membersProven: prove,
      memberDeparted: ({ number }) => {
        for (const members of proven.values()) members.delete(number)
      },
      bisectionEnded: end,
      groupPlaced({ cause, members, bisection }) {
        if (cause !== 'proven' || bisection === null) return
        for (const number of members) proven.get(bisection)?.delete(number)
      },
    },
  }
}
