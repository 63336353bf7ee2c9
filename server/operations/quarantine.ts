/** Operations about tests in quarantine. Rules. */

import type * as wire from '../contract/wire.ts'
import type { TestCase } from '../history/test-cases.ts'
import { repositoryOf } from '../identity/queue-ref.ts'
import { quarantineOf } from '../views/quarantine.ts'
import { answer, done, reject, withQueue, type Operation } from './operation.ts'

/** Puts a test in quarantine, in the name of the token. */
export const quarantineTest: Operation<wire.QuarantineTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const { test, why, until } = body
    const { manager, caller } = context
    const end = until === undefined ? {} : { until: Date.parse(until) }
    if (end.until !== undefined && !(end.until > manager.now)) {
      const text = `until must be an instant to come, like ${new Date(manager.now + dayMs).toISOString()}`
      return reject({ code: 'contradiction', text })
    }
    const entry = { who: caller.name, ...(why === undefined ? {} : { why }), ...end }
    return done(manager.send(name, { type: 'quarantineTest', test: { name: test }, ...entry }))
  })

const dayMs = 24 * 3_600_000

/** Takes a test out of quarantine. */
export const releaseTest: Operation<wire.ReleaseTest, wire.Nothing> = (context, body) =>
  withQueue(context, body, ({ name }) => {
    const test = { name: body.test }
    return done(context.manager.send(name, { type: 'releaseTest', test }))
  })

/** Returns the tests in quarantine, and the proposals. */
export const getQuarantine: Operation<wire.QueueRef, wire.Quarantine> = (context, body) =>
  withQueue(context, body, (queue) => answer(quarantineOf(queue, context.manager.now)))

/** Links a ticket to a test case. The same link again changes nothing; another one replaces it. */
export const linkTicketToTestCase: Operation<wire.LinkTicketToTestCase, wire.TicketLink> = (
  { manager },
  body,
) => {
  const repository = repositoryOf(body.repo)
  const testCase = body.test_case_id.toLowerCase()
  const ticket = body.external_ticket_id
  const linked = manager.registry.testCases.find(repository, testCase)?.ticket
  if (linked?.id === ticket) return answer(link(testCase, ticket, linked.linkedAt))
  const outcome = manager.send(null, { type: 'linkTicket', repository, testCase, ticket })
  return outcome.accepted ? answer(link(testCase, ticket, outcome.at)) : reject(outcome.rejection)
}

function link(testCase: string, ticket: string, at: number): wire.TicketLink {
  return {
    test_case_id: testCase,
    external_ticket_id: ticket,
    linkedAt: new Date(at).toISOString(),
  }
}

const defaultTake = 50

/** Lists the test cases of a repository with their flakes and tickets; none if it is unknown. */
export const listTestCases: Operation<wire.ListTestCases, wire.TestCasePage> = (
  { manager },
  body,
) => {
  const { take = defaultTake, cursor = '0' } = body
  const from = Number(cursor)
  const testCases: wire.TestCase[] = []
  let position = 0
  for (const testCase of manager.registry.testCases.of(repositoryOf(body.repo))) {
    if (testCases.length === take) return answer({ testCases, nextCursor: String(position) })
    if (position >= from) testCases.push(testCaseView(testCase))
    position++
  }
  return answer({ testCases })
}

function testCaseView({ id, name, file, flakes, lastFlakeAt, ticket }: TestCase): wire.TestCase {
  return {
    test_case_id: id,
    name,
    file,
    flakes,
    lastFlakeAt: lastFlakeAt === null ? null : new Date(lastFlakeAt).toISOString(),
    external_ticket_id: ticket?.id ?? null,
  }
}
