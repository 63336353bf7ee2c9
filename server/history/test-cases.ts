/**
 * The test cases of each repository: what reports have named, how often each has flaked, and the
 * ticket it is followed up in. They outlive the queues whose test runs named them.
 */

import { testKey, type Event, type Millis, type TestName } from '../../engine/index.ts'
import { testCaseId } from '../yard/ids.ts'
import { nameOfRepository, type Repository } from '../yard/queue-ref.ts'

export type TestCase = {
  readonly id: string
  readonly name: string
  /** Empty where the runner named none. */
  readonly file: string
  /** How often it failed and passed on one composition. */
  flakes: number
  lastFlakeAt: Millis | null
  ticket: { readonly id: string; readonly linkedAt: Millis } | null
}

type RepositoryTests = {
  /** In the order in which they became known. */
  readonly byId: Map<string, TestCase>
  /** By the name under which the engine knows them; two could share one. */
  readonly byKey: Map<string, TestCase[]>
}

export class TestCases {
  readonly #repositories = new Map<string, RepositoryTests>()

  /** The test case of that name, known from now on. */
  record(repository: Repository, test: TestName): TestCase {
    const id = testCaseId(repository, test)
    const known = this.find(repository, id)
    if (known) return known
    const { name, file = '' } = test
    const testCase: TestCase = { id, name, file, flakes: 0, lastFlakeAt: null, ticket: null }
    this.restore(nameOfRepository(repository), testCase)
    return testCase
  }

  find(repository: Repository, id: string): TestCase | undefined {
    return this.#repositories.get(nameOfRepository(repository))?.byId.get(id)
  }

  /** The test cases of a repository, in the order in which they became known. */
  of(repository: Repository): Iterable<TestCase> {
    return this.#repositories.get(nameOfRepository(repository))?.byId.values() ?? []
  }

  /** Counts the flakes that the engine has seen in one command, each test case once. */
  countFlakes(repository: Repository, at: Millis, events: readonly Event[]): void {
    for (const testCase of this.#flakedIn(repository, events)) {
      testCase.flakes++
      testCase.lastFlakeAt = at
    }
  }

  #flakedIn(repository: Repository, events: readonly Event[]): Set<TestCase> {
    const flaked = new Set<TestCase>()
    for (const event of events) {
      if (event.type !== 'verdictContradicted' && event.type !== 'flakyTestsSeen') continue
      const tests = this.#repositories.get(nameOfRepository(repository))
      for (const key of event.flakyTests) {
        for (const testCase of tests?.byKey.get(key) ?? []) flaked.add(testCase)
      }
    }
    return flaked
  }

  /** Puts back a test case that was known before. */
  restore(repositoryName: string, testCase: TestCase): void {
    const tests = this.#testsOf(repositoryName)
    const key = testKey(testCase)
    tests.byId.set(testCase.id, testCase)
    tests.byKey.set(key, [...(tests.byKey.get(key) ?? []), testCase])
  }

  /** Every test case with the name of its repository. */
  *all(): Generator<readonly [string, TestCase]> {
    for (const [name, { byId }] of this.#repositories) {
      for (const testCase of byId.values()) yield [name, testCase]
    }
  }

  #testsOf(repositoryName: string): RepositoryTests {
    const known = this.#repositories.get(repositoryName)
    if (known) return known
    const tests: RepositoryTests = { byId: new Map(), byKey: new Map() }
    this.#repositories.set(repositoryName, tests)
    return tests
  }
}
