import type * as wire from '../wire.ts'
import { repositoryOf } from '../yard/queue-ref.ts'
import { answer, refuse, type Operation } from './operation.ts'

/** Links a ticket to a test case; the same link again is no change, another ticket replaces. */
export const linkTicketToTestCase: Operation<wire.LinkTicketToTestCase, wire.TicketLink> = (
  { yard },
  body,
) => {
  const repository = repositoryOf(body.repo)
  const testCase = body.test_case_id.toLowerCase()
  const ticket = body.external_ticket_id
  const linked = yard.register.testCases.find(repository, testCase)?.ticket
  if (linked?.id === ticket) return answer(link(testCase, ticket, linked.linkedAt))
  const outcome = yard.send(null, { type: 'linkTicket', repository, testCase, ticket })
  return outcome.accepted ? answer(link(testCase, ticket, outcome.at)) : refuse(outcome.rejection)
}

function link(testCase: string, ticket: string, at: number): wire.TicketLink {
  return {
    test_case_id: testCase,
    external_ticket_id: ticket,
    linkedAt: new Date(at).toISOString(),
  }
}
