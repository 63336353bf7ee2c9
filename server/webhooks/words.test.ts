/** The table of words in server/API.md names every state and every event. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pullRequestStates } from '../../engine/index.ts'
import { eventTypes } from '../notices/event-types.ts'

const text = readFileSync(new URL('../../../server/API.md', import.meta.url), 'utf8')
const rows = [...text.matchAll(/^\| (.+?) +\| (.+?) +\|$/gm)].map(([, api = '', webhook = '']) => {
  return { api, webhook }
})

//
test('the table has each state of a pull request with its word in webhooks', () => {
  const states = rows.flatMap(({ api, webhook }) => {
    const state = /^state `(\w+)`(?:,|$)/.exec(api)?.[1]
    return state === undefined ? [] : [[state, /^`(\w+)`/.exec(webhook)?.[1] ?? null] as const]
  })
  expect(states.map(([state]) => state).sort()).toEqual([...pullRequestStates].sort())
  const actions = eventTypes.flatMap((type) => /^pull_request\.(\w+)$/.exec(type)?.[1] ?? [])
  const words = states.flatMap(([, word]) => word ?? [])
  expect(['submitted', ...words].sort()).toEqual(actions.sort())
})
