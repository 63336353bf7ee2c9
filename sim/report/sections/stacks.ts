/** The stacks of a run: those that depend on each other, the lowest first, and how each has ended. */

import type { PullRequestNumber } from '../../../engine/index.ts'
import { several } from '../../../server/terminal/text.ts'
import { html, type Html, css } from '../../html/html.ts'
import type { PullRequestStory } from '../recording/story.ts'

type Story = Pick<PullRequestStory, 'number' | 'dependsOn' | 'end'>

/** Those that did not merge whole come first. */
const mostStacks = 50

/** Null if nobody depends on anybody. */
export function stacksSection(stories: readonly Story[]) {
  const stacks = stacksIn(stories)
  if (stacks.length === 0) return null
  const isWhole = (stack: readonly Story[]) => stack.every(({ end }) => end === 'MERGED')
  const whole = stacks.filter(isWhole)
  const shown = [...stacks.filter((stack) => !isWhole(stack)), ...whole].slice(0, mostStacks)
  return {
    id: 'stacks',
    title: 'Stacks',
    about: `${several(stacks.length, 'stack')}, ${whole.length} merged whole${stacks.length > shown.length ? `; the first ${shown.length}` : ''}. Each stands on the one before it, unless it says on whom.`,
    body: html`<ul class="stacks">
      ${shown.map(
        (stack) =>
          html`<li>
            <ol>
              ${stack.map(memberOf)}
            </ol>
          </li>`,
      )}
    </ul>`,
  }
}

function memberOf({ number, end, dependsOn }: Story, index: number, stack: readonly Story[]): Html {
  const [only] = dependsOn
  const isOnLast = dependsOn.length === 1 && stack[index - 1]?.number === only
  const on = dependsOn.map((other) => `#${other}`).join(', ')
  const state = end === null ? 'open' : end.toLowerCase()
  return html`<li class="${state}">
    <a href="#pr-${number}">#${number}</a>
    ${state}${isOnLast || on === '' ? null : html` <span>on ${on}</span>`}
  </li>`
}

/** Those that are connected, each after those that it depends on; the order is else that of the stories. */
export function stacksIn(stories: readonly Story[]): Story[][] {
  const known = new Map(stories.map((story) => [story.number, story]))
  const stackOf = new Map<PullRequestNumber, Set<Story>>()
  const add = (story: Story): Set<Story> => {
    const placed = stackOf.get(story.number)
    if (placed) return placed
    let stack = new Set<Story>()
    stackOf.set(story.number, stack)
    for (const other of story.dependsOn) {
      const below = known.get(other)
      if (!below) continue
      const joined = new Set([...stack, ...add(below)])
      for (const { number } of joined) stackOf.set(number, joined)
      stack = joined
    }
    stack.add(story)
    stackOf.set(story.number, stack)
    return stack
  }
  for (const story of stories) add(story)
  return [...new Set(stackOf.values())].filter(({ size }) => size > 1).map((stack) => [...stack])
}

export const stacksStyle = css`
  .stacks,
  .stacks ol {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  .stacks > li {
    padding: 0.2rem 0;
    border-bottom: 1px solid var(--line);
  }
  .stacks ol {
    display: flex;
    flex-wrap: wrap;
    gap: 0.35rem;
    padding: 0.25rem 0;
  }
  .stacks ol li {
    padding: 0.1rem 0.6rem;
    background: var(--paper);
    border: 1px solid var(--line);
    border-left: 0.3rem solid var(--cancelled);
    border-radius: 0.35rem;
  }
  .stacks ol li.merged {
    border-left-color: var(--merged);
  }
  .stacks ol li.failed {
    border-left-color: var(--failed);
  }
  .stacks span {
    color: var(--soft);
  }
`
