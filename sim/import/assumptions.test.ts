import { expect, test } from 'vitest'
import { checkScenario } from '../scenario/check.ts'
import type { ChangedFiles } from './git/changed-files.ts'
import { imported } from './imported.ts'
import { landedOf } from './landed.ts'
import { classify } from './landings/classify.ts'
import { recordedLog } from './testing/recorded-logs.ts'

type Options = { readonly sizesIn?: ChangedFiles['countedIn']; readonly withoutBots?: boolean }

/** Imports a recorded log. Returns its scenario, which is valid. */
function scenarioOf(project: string, { sizesIn = 'lines', withoutBots = false }: Options = {}) {
  const options = { last: 500, withReleases: false, withoutBots }
  const classified = classify(recordedLog(project), options)
  const landed = landedOf(classified.landings, () => ({ size: 1, files: ['web/shop.ts'] }))
  const log = { branch: 'main', landed, classified, sizesIn, baseAges: [] }
  const sources = { name: project, log, runs: null, junit: null, busier: 1, minutes: 10 }
  return checkScenario(imported(sources), project)
}

/** The value that is assumed for each of these. */
const assumedIn = (project: string, options: Options = {}) => {
  const { assumed = [] } = scenarioOf(project, options)
  return (what: string) => assumed.filter((each) => each.what === what).map(({ value }) => value)
}

// S-202, S-207
test('what is left out, kept or shared is counted', () => {
  const borsNg = assumedIn('bors-ng')
  expect(borsNg('bots')).toEqual(['27 of 42 pull requests, which stay'])
  expect(borsNg('direct pushes')).toEqual(['1 left out: no pull request is named'])
  expect(borsNg('releases')).toEqual([])
  expect(borsNg('sizes')).toEqual([
    '4 pull requests of batches share the size of their commit evenly, and have all its targets',
  ])
  expect(assumedIn('bors-ng', { withoutBots: true })('bots')).toEqual(['27 left out'])
  expect(assumedIn('release-please')('releases')).toEqual(['9 left out'])
})

// S-207
test('what a log cannot tell about a habit is told', () => {
  expect(assumedIn('glib')('landings')).toEqual([
    'A log cannot tell merge trains from other merges of GitLab.',
  ])
  expect(assumedIn('oslo.config')('landings')).toEqual([
    'Changes of Gerrit have no number here, so their Change-Id or commit names them.',
  ])
  expect(assumedIn('fastify')('landings')).toEqual([])
})

// S-204
test('invented numbers are counted, and origin names the pull request', () => {
  expect(assumedIn('mergify-cli')('numbers')).toEqual([
    '15 numbers invented, from 10000001 on; origin says what the history calls the pull request',
  ])
  expect(scenarioOf('oslo.config').pullRequests?.[0]).toMatchObject({
    number: 1,
    origin: 'Change-Id Idd124082265032c30f83242b612d002d7093aa61',
  })
  expect(assumedIn('fastify')('numbers')).toEqual([])
})

// S-206
test.each([
  ['lines', '10 min for the median change, twice for ten times its lines, from 5 to 30 min'],
  [
    'files',
    '10 min for the median change, twice for ten times its files, from 5 to 30 min; lines are unknown, because blobs are missing',
  ],
  ['nothing', '10 min each; sizes are unknown, because trees are missing'],
] as const)('given sizes in %s, says how lengths were guessed', (sizesIn, value) => {
  expect(assumedIn('cargo', { sizesIn })('run length')).toEqual([value])
})

// S-207
test('every assumption says how to replace it', () => {
  for (const project of ['bors-ng', 'rustup', 'mergify-cli', 'test-infra']) {
    for (const { what, value, replace } of scenarioOf(project).assumed ?? []) {
      expect([what, value, replace].every((text) => text.trim() !== '')).toBe(true)
    }
  }
})
