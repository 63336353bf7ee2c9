/** The page of one pull request: where it is and why, and how it came there. */

import { signal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PullRequestPage } from '../../../../server/page/answers.ts'
import { get } from '../model/ask.ts'
import { queuePath } from '../model/route.ts'
import { liveness, pageState } from '../model/watched-queue.ts'
import { Foreign, PullRequestLink } from '../pieces/texts.tsx'
import { Banners } from '../queue/banners.tsx'
import { Evidence } from '../queue/ended.tsx'
import { Opening } from '../queue/opening.tsx'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
import { Earlier, Runs, Steps } from './history.tsx'
import { Summary } from './summary.tsx'

type PullRequestViewProps = { readonly queue: string; readonly number: number }

export function PullRequestView({ queue, number }: PullRequestViewProps): VNode {
  const state = pageState.value
  const row = state?.rows.get(number)
  const end = state?.ended.find((each) => each.number === number)
  const isLive = liveness.value.kind === 'live'
  const place = state ? placeIn(state, number) : ''
  useEffect(() => {
    void loadPage(queue, number)
  }, [queue, number, row, end, place, isLive])
  const loaded = loadedPage.value
  if (!state || loaded?.key !== keyOf(queue, number)) return <Opening />
  return (
    <article class="one">
      <p class="back">
        <a href={queuePath(queue)}>Back to the queue</a>
      </p>
      <Banners queue={state.queue} />
      {loaded.error !== null && (
        <p class="error" role="alert">
          {loaded.error}
        </p>
      )}
      {loaded.page === null ? (
        <Unknown number={number} />
      ) : (
        <Known
          page={row ? { ...loaded.page, row } : loaded.page}
          isBisected={bisected(state).has(number)}
        />
      )}
    </article>
  )
}

/** Changes whenever its group or its bisection does. */
function placeIn({ line: { groups, bisections } }: PageState, number: number): string {
  const parts = [...groups, ...bisections].filter(({ members }) => members.includes(number))
  return JSON.stringify(parts)
}

function Unknown({ number }: { number: number }): VNode {
  return (
    <>
      <h1>#{number}</h1>
      <p>It was never submitted to this queue, or its history is no longer kept.</p>
    </>
  )
}

function Known({ page, isBisected }: { page: PullRequestPage; isBisected: boolean }): VNode {
  const { queue, stoodOn, ended, runs, timeline, earlier } = page
  return (
    <>
      <Summary page={page} isBisected={isBisected} />
      {stoodOn.length > 0 && (
        <Part title={ended ? 'It stood on' : 'It stands on'}>
          <ol class="chain">
            <li class="tip">
              <Foreign text={queue.targetBranch} />
            </li>
            {stoodOn.map((number) => (
              <li key={number}>
                <PullRequestLink
                  queue={queue.id}
                  row={pageState.value?.rows.get(number) ?? { number }}
                />
              </li>
            ))}
            <li>
              <b>#{page.row.number}</b>
            </li>
          </ol>
        </Part>
      )}
      {ended?.state === 'FAILED' && typeof ended.member?.failedIn === 'string' && (
        <Part title="Evidence">
          <Evidence row={ended} />
        </Part>
      )}
      <Part title="What happened">
        <Steps steps={timeline} />
      </Part>
      {runs.length > 0 && (
        <Part title="Test runs">
          <Runs runs={runs} />
        </Part>
      )}
      {earlier.length > 0 && (
        <Part title="Earlier submissions">
          <Earlier earlier={earlier} />
        </Part>
      )}
    </>
  )
}

function Part({ title, children }: { title: string; children: ComponentChildren }): VNode {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

// The page of one pull request, loaded again whenever the stream says that something has changed.

type Loaded = {
  readonly key: string
  /** Null if there is no such pull request. */
  readonly page: PullRequestPage | null
  readonly error: string | null
}

const loadedPage = signal<Loaded | null>(null)

let isLoading = false
let wanted: { queue: string; number: number } | null = null

const keyOf = (queue: string, number: number): string => `${queue} ${number}`

/** One request at a time; what changes meanwhile leads to one more. */
async function loadPage(queue: string, number: number): Promise<void> {
  wanted = { queue, number }
  if (isLoading) return
  isLoading = true
  while (wanted) {
    const now: { queue: string; number: number } = wanted
    wanted = null
    const address = `/page/pull-request?queue=${encodeURIComponent(now.queue)}&number=${now.number}`
    const answered = await get<PullRequestPage>(address)
    const key = keyOf(now.queue, now.number)
    if (answered.kind === 'ok') loadedPage.value = { key, page: answered.body, error: null }
    else if (answered.kind === 'refused' && answered.status === 404) {
      loadedPage.value = { key, page: null, error: null }
    } else {
      const known = loadedPage.value?.key === key ? loadedPage.value.page : null
      loadedPage.value = { key, page: known, error: answered.error }
    }
  }
  isLoading = false
}
