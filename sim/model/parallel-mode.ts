/** Chapter "Parallel mode". */

import type { ImpactedTargets } from '../../engine/index.ts'
import type { Group, Model, PullRequest } from './state.ts'

/** E-92: ALL shares with every list, also an empty one. In single mode all share. */
export function share(model: Model, some: ImpactedTargets, others: ImpactedTargets): boolean {
  if (model.settings.mode === 'single' || some === 'ALL' || others === 'ALL') return true
  return some.some((target) => others.includes(target))
}

/** E-94: by the last upload of each. */
export function targetsOf(model: Model, ...all: readonly PullRequest[]): ImpactedTargets {
  const each = all.map(({ number }) => model.targets.get(number) ?? [])
  const lists = each.filter((targets) => targets !== 'ALL')
  return lists.length < each.length ? 'ALL' : [...new Set(lists.flat())]
}

/** E-94: whether others were uploaded since the group started. */
export function hasNewTargets(model: Model, { members, targets }: Group): boolean {
  const uploaded = targetsOf(model, ...members)
  if (model.settings.mode === 'single') return false
  return String(uploaded) !== String(targets) || (uploaded === 'ALL') !== (targets === 'ALL')
}

/** E-92, E-96: it depends on groups ahead that share a target, or did before. */
export function dependsOn(model: Model, group: Group, ahead: Group): boolean {
  if (ahead.phase.is === 'conflicting') return false
  if (share(model, group.targets, ahead.targets)) return true
  const { is } = group.phase
  const isUploaded = sharesUpload(model, group, ahead.members)
  if (is === 'waiting' && isUploaded) return true
  // E-96 is about runs. Without one, only an upload that still counts ties it.
  const isTied = ahead.members.some((each) => group.tiedTo.has(each))
  return isTied && (is !== 'conflicting' || isUploaded)
}

/** E-143: a group that starts later also depends on it by targets uploaded meanwhile. */
export const sharesUpload = (model: Model, group: Group, ahead: readonly PullRequest[]): boolean =>
  share(model, group.targets, targetsOf(model, ...ahead))

/** E-96, E-154: ties groups to those that their run contains and that share a target now. */
export function tie(model: Model): void {
  for (const [at, group] of model.line.entries()) {
    const { is, run } = group.phase
    const contents = is === 'waiting' || !run ? [] : run.contents
    if (contents.length === 0 && is !== 'conflicting') group.tiedTo.clear()
    const ahead = model.line.slice(0, at)
    const sharing = ahead.filter(({ targets }) => share(model, group.targets, targets))
    const members = sharing.flatMap((each) => each.members)
    for (const each of members.filter((one) => contents.includes(one))) group.tiedTo.add(each)
  }
}
