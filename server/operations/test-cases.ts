/** Operations about the test cases of a repository. */

import type { TestCase } from '../history/test-cases.ts'
import type * as wire from '../contract/wire.ts'
import { repositoryOf } from '../identity/queue-ref.ts'
import { answer, reject, type Operation } from './operation.ts'

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
