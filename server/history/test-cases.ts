/**
 * The test cases of each repository: every test that a report has named, its number of flakes, and
 * its ticket. Test cases stay when the queue is deleted whose runs named them.
 */

import { testKey, type Event, type Millis, type TestName } from '../../engine/index.ts'
import { testCaseId } from '../identity/ids.ts'
import { nameOfRepository, type Repository } from '../identity/queue-ref.ts'

export type TestCase = {
  readonly id: string
  readonly name: string
  /** Empty if the report named no file. */
  readonly file: string
  /** How often it failed and passed on one composition. */
  flakes: number
  lastFlakeAt: Millis | null
  ticket: { readonly id: string; readonly linkedAt: Millis } | null
}

type RepositoryTests = {
  /** In the order in which they became known. */
  readonly byId: Map<string, TestCase>
  /** By the key that the engine uses; two test cases can share a key. */
  readonly byKey: Map<string, TestCase[]>
}

export class TestCases {
  readonly #repositories = new Map<string, RepositoryTests>()

  /** Returns the test case of that name; adds it if it is new. */
  record(repository: Repository, test: TestName): TestCase {
    const known = this.#named(repository, test)
    if (known) return known
    const id = testCaseId(repository, test)
    const { name, file = '' } = test
    const testCase: TestCase = { id, name, file, flakes: 0, lastFlakeAt: null, ticket: null }
    this.restore(nameOfRepository(repository), testCase)
    return testCase
  }

  /** The id of the test case of that name, which need not exist yet. */
  idOf(repository: Repository, test: TestName): string {
    return this.#named(repository, test)?.id ?? testCaseId(repository, test)
  }

  find(repository: Repository, id: string): TestCase | undefined {
    return this.#repositories.get(nameOfRepository(repository))?.byId.get(id)
  }

  /** The test cases of a repository, in the order in which they became known. */
  of(repository: Repository): Iterable<TestCase> {
    return this.#repositories.get(nameOfRepository(repository))?.byId.values() ?? []
  }

  /** Counts the flakes in the events of one command, each test case once. */
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

  /** Adds a test case that was read from a snapshot. */
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

  /** By name, because the id of a test is costly to compute. */
  #named(repository: Repository, { name, file = '' }: TestName): TestCase | undefined {
    const tests = this.#repositories.get(nameOfRepository(repository))
    const sharing = tests?.byKey.get(testKey({ name, file }))
    return sharing?.find((each) => each.name === name && each.file === file)
  }

  #testsOf(repositoryName: string): RepositoryTests {
    const known = this.#repositories.get(repositoryName)
    if (known) return known
    const tests: RepositoryTests = { byId: new Map(), byKey: new Map() }
    this.#repositories.set(repositoryName, tests)
    return tests
  }
}
