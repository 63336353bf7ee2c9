/** The page of one pull request: where it is and why, and how it came there. */

import type { ComponentChildren, VNode } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PullRequestPage } from '../../../../server/page/answers.ts'
import { Banners } from '../queue/banners.tsx'
import { Evidence } from '../queue/ended.tsx'
import { queuePath } from '../model/route.ts'
import { liveness, pageState } from '../model/watched-queue.ts'
import { bisected } from '../state/figures.ts'
import type { PageState } from '../state/fold.ts'
import { Foreign, PullRequestLink } from '../pieces/texts.tsx'
import { Opening } from '../queue/opening.tsx'
import { Earlier, Runs, Steps } from './history.tsx'
import { keyOf, loadedPage, loadPage } from './load.ts'
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
