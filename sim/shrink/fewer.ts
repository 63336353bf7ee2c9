/** Leaving out whatever a scenario may do without, in the order in which it matters to a reader. */

import { placesAt, withoutPlaces, type Path } from './document.ts'
import { leaveOut, type Pass } from './pass.ts'

/** Leaves out what these patterns name, pattern by pattern; see `placesAt`. */
export function without(...patterns: readonly string[]): Pass[] {
  return patterns.map((pattern) => (scenario) => {
    return leaveOut<Path>(scenario, {
      of: (current) => placesAt(current, pattern).map(({ path }) => path),
      without: withoutPlaces,
    })
  })
}

const ofPullRequests = (...keys: readonly string[]): Pass[] =>
  without(...keys.map((key) => `pullRequests/*/${key}`))

export const fewerEvents = without('events/*')

export const fewerFaults = without('faults', 'faults/*', 'faults/outages/*')

export const fewerConflicts = ofPullRequests('conflictsWith', 'conflictsWith/*')

export const fewerCulprits = ofPullRequests(
  'breaks',
  'breaksWith',
  'breaksWith/*',
  'fixes',
  'fixes/*',
)

export const fewerFlakes = [
  ...ofPullRequests('flakyRuns', 'flakyRuns/*', 'flakeRate'),
  ...without('suiteFlakes', 'suiteFlakes/*', 'suiteFlakes/tests/*'),
]

/** What is left out is as by default. */
export const settingsTowardDefaults = [
  ...without('queue', 'queue/*', 'events/*/set/*', 'tieOrder', 'seed', 'suite', 'suite/*'),
  ...without('traffic', 'traffic/*'),
  ...ofPullRequests('priority', 'noBatch', 'greenOnTip', 'targets', 'targets/*', 'testMinutes'),
  ...without('events/*/priority', 'events/*/noBatch', 'events/*/targets/*'),
]
