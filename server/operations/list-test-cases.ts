import type { TestCase } from '../history/test-cases.ts'
import type * as wire from '../contract/wire.ts'
import { repositoryOf } from '../identity/queue-ref.ts'
import { answer, type Operation } from './operation.ts'

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
