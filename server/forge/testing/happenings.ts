/** What has happened on a fake host since its last webhooks: the difference between what was, and what is. */

import type {
  FakeCheck,
  FakeComment,
  FakePull,
  FakeState,
  FakeStatus,
  FakeWorkflowRun,
} from './state.ts'

export type PullAction =
  | 'opened'
  | 'pushed'
  | 'closed'
  | 'reopened'
  | 'drafted'
  | 'readied'
  | 'labelled'
  | 'unlabelled'

export type Happening =
  | { readonly is: 'pull'; readonly action: PullAction; readonly pull: FakePull }
  | { readonly is: 'review'; readonly pull: FakePull }
  | { readonly is: 'comment'; readonly isNew: boolean; readonly comment: FakeComment }
  | { readonly is: 'check'; readonly check: FakeCheck }
  | { readonly is: 'run'; readonly run: FakeWorkflowRun }
  | { readonly is: 'status'; readonly status: FakeStatus }
  | { readonly is: 'push'; readonly after: string }

type KnownPull = Pick<FakePull, 'head' | 'state' | 'isDraft'> & {
  readonly labels: readonly string[]
  readonly reviews: number
}

/** What the last webhooks were about. */
export type Told = {
  readonly pulls: ReadonlyMap<number, KnownPull>
  /** What is known of comments, checks, runs and statuses, by id. */
  readonly others: ReadonlyMap<number, string>
}

export const nothingTold: Told = { pulls: new Map(), others: new Map() }

export function toldOf({ pulls, comments, checks, workflowRuns, statuses }: FakeState): Told {
  return {
    pulls: new Map(
      [...pulls].map(([number, { head, state, isDraft, labels, reviews }]) => {
        const known = { head, state, isDraft, labels: [...labels], reviews: reviews.length }
        return [number, known] as const
      }),
    ),
    others: new Map([
      ...comments.map(({ id, body }) => [id, body] as const),
      ...[...checks, ...workflowRuns].map(({ id, status }) => [id, status] as const),
      ...statuses.map(({ id, state }) => [id, state] as const),
    ]),
  }
}

/** What has happened since then, oldest first as far as that is known. */
export function happeningsSince({ pulls: known, others }: Told, state: FakeState): Happening[] {
  const isNews = (id: number, now: string): boolean => others.get(id) !== now
  return [
    ...[...state.pulls.values()].flatMap((pull) => ofPull(known.get(pull.number), pull)),
    ...state.comments
      .filter(({ id, body }) => isNews(id, body))
      .map((comment) => ({ is: 'comment', isNew: !others.has(comment.id), comment }) as const),
    ...state.checks
      .filter(({ id, status }) => isNews(id, status) && status !== 'queued')
      .map((check) => ({ is: 'check', check }) as const),
    ...state.workflowRuns
      .filter(({ id, status }) => isNews(id, status) && status === 'completed')
      .map((run) => ({ is: 'run', run }) as const),
    ...state.statuses
      .filter((status) => isNews(status.id, status.state))
      .map((status) => ({ is: 'status', status }) as const),
  ]
}

function ofPull(before: KnownPull | undefined, pull: FakePull): Happening[] {
  const { head, state, isDraft, labels, reviews } = pull
  const about = (action: PullAction): Happening => ({ is: 'pull', action, pull })
  if (!before) return [about('opened')]
  return [
    before.head === head ? [] : about('pushed'),
    before.state === state ? [] : about(state === 'closed' ? 'closed' : 'reopened'),
    before.isDraft === isDraft ? [] : about(isDraft ? 'drafted' : 'readied'),
    labels.every((label) => before.labels.includes(label)) ? [] : about('labelled'),
    before.labels.every((label) => labels.includes(label)) ? [] : about('unlabelled'),
    before.reviews === reviews.length ? [] : ({ is: 'review', pull } as const),
  ].flat()
}
