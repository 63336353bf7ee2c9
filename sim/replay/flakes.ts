/** The flakes of a recording, which does not tell what pull requests really break. Rule: S-400. */

import type { Event, EventOf, PullRequest, Queue, TestRun, TestRunId } from '../../engine/index.ts'

/** What one submission contains: the same commit, submitted again, is the same content. */
type Content = string

type Ended = Pick<TestRun, 'id' | 'tip'> & { readonly held: readonly Content[] }

export class RecordedFlakes {
  /** By the sequence number of the submission. */
  readonly #contents = new Map<number, Content>()
  readonly #latest = new Map<number, Content>()
  /** What each commit brought to the branch. A push, and what was before the recording, is not known. */
  readonly #commits = new Map<number, Content>()
  readonly #landedAs = new Map<Content, number>()
  readonly #underWay = new Map<TestRunId, TestRun>()
  readonly #failed: Ended[] = []
  readonly #passedWith = new Map<Content, Ended[]>()
  readonly #contradicted = new Set<TestRunId>()

  constructor({ pullRequests }: Pick<Queue, 'pullRequests'>) {
    for (const each of Object.values(pullRequests)) this.#submit(each)
  }

  read(event: Event): void {
    if (event.type === 'pullRequestSubmitted') this.#submit(event)
    else if (event.type === 'tipMoved') this.#land(event)
    else if (event.type === 'testRunStarted') this.#underWay.set(event.run.id, event.run)
    else if (event.type === 'testRunCancelled') this.#underWay.delete(event.testRun)
    else if (event.type === 'testRunFinished') this.#end(event)
    else if (event.type === 'verdictContradicted') this.#contradicted.add(event.testRun)
  }

  /** The runs that failed or timed out only because of a flake. */
  found(): ReadonlySet<TestRunId> {
    const refuted = this.#failed.filter((failed) => {
      const others = new Set(failed.held.flatMap((each) => this.#passedWith.get(each) ?? []))
      return [...others].some((passed) => this.#holdsAll(passed, failed))
    })
    return new Set([...this.#contradicted, ...refuted.map(({ id }) => id)])
  }

  #submit({ number, submission, sha }: Pick<PullRequest, 'number' | 'submission' | 'sha'>): void {
    const content = sha === undefined ? `submission ${submission}` : `${number} ${sha}`
    this.#contents.set(submission, content)
    this.#latest.set(number, content)
  }

  #land({ tip, number }: EventOf<'tipMoved'>): void {
    const content = this.#latest.get(number ?? 0)
    if (content === undefined) return
    this.#commits.set(tip, content)
    this.#landedAs.set(content, tip)
  }

  /** What a run shows that passed because of the quarantine, the engine has said (E-274). */
  #end({ testRun, outcome, quarantined }: EventOf<'testRunFinished'>): void {
    const run = this.#underWay.get(testRun)
    this.#underWay.delete(testRun)
    if (!run || outcome === 'errored' || quarantined) return
    const held = run.submissions.flatMap((each) => this.#contents.get(each) ?? [])
    const ended = { id: run.id, tip: run.tip, held }
    if (outcome !== 'passed') this.#failed.push(ended)
    else for (const each of held) this.#passesWith(each).push(ended)
  }

  #passesWith(content: Content): Ended[] {
    const runs = this.#passedWith.get(content) ?? []
    this.#passedWith.set(content, runs)
    return runs
  }

  #holdsAll(passed: Ended, failed: Ended): boolean {
    const isIn = (content: Content): boolean =>
      passed.held.includes(content) || (this.#landedAs.get(content) ?? Infinity) <= passed.tip
    if (!failed.held.every(isIn)) return false
    const [from, to] = [Math.min(passed.tip, failed.tip), Math.max(passed.tip, failed.tip)]
    for (let tip = from + 1; tip <= to; tip++) {
      const commit = this.#commits.get(tip)
      // A push may have broken the branch, or mended it.
      if (commit === undefined || !isIn(commit)) return false
    }
    return true
  }
}
