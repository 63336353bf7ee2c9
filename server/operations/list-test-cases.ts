import type { TestCase } from '../history/test-cases.ts'
import type * as wire from '../wire.ts'
import { repositoryOf } from '../yard/queue-ref.ts'
import { answer, type Operation } from './operation.ts'

const defaultTake = 50

/** The test cases of a repository, with their flakes and tickets; none where none is known. */
export const listTestCases: Operation<wire.ListTestCases, wire.TestCasePage> = ({ yard }, body) => {
  const { take = defaultTake, cursor = '0' } = body
  const from = Number(cursor)
  const testCases: wire.TestCase[] = []
  let place = 0
  for (const testCase of yard.register.testCases.of(repositoryOf(body.repo))) {
    if (testCases.length === take) return answer({ testCases, nextCursor: String(place) })
    if (place >= from) testCases.push(testCaseView(testCase))
    place++
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
