/** Passes that remove parts of a scenario, in the order of their importance to a reader. */

import { locationsAt, withoutLocations, type Path } from './document.ts'
import { leaveOut, type Pass } from './pass.ts'

/** Returns passes that remove what the patterns match, pattern by pattern; see `locationsAt`. */
export function without(...patterns: readonly string[]): Pass[] {
  return patterns.map((pattern) => (scenario) => {
    return leaveOut<Path>(scenario, {
      of: (current) => locationsAt(current, pattern).map(({ path }) => path),
      without: withoutLocations,
    })
  })
}

const ofPullRequests = (...keys: readonly string[]): Pass[] =>
  without(...keys.map((key) => `pullRequests/*/${key}`))

export const fewerEvents = without('resubmit', 'events/*')

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

/** A removed field takes its default. */
export const settingsTowardDefaults = [
  ...without('queue', 'queue/*', 'events/*/set/*', 'tieOrder', 'seed', 'suite', 'suite/*'),
  ...without('traffic', 'traffic/*'),
  ...ofPullRequests('priority', 'noBatch', 'greenOnTip', 'targets', 'targets/*', 'testMinutes'),
  ...without('events/*/priority', 'events/*/noBatch', 'events/*/targets/*'),
]
