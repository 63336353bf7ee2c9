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
