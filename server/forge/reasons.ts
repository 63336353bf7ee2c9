/** The reasons of moves, as people read them on the host. */

const texts: Readonly<Record<string, string>> = {
  PREREQUISITE_MERGE_ITEM_FAILED: 'one ahead of it has failed, so it is tested again',
  PREREQUISITE_MERGE_ITEM_CANCELLED: 'one ahead of it has left, so it is tested again',
  TESTS_RESTARTED_BY_API_REQUEST: 'its tests were asked for again',
  SKIP_THE_LINE_INTERRUPTED: 'an urgent one goes first, so it is tested again',
  MANUAL_PUSH_TO_TARGET_BRANCH: 'the branch was pushed to, so it is tested again',
  BISECTION_REQUIRED: 'its batch has failed, so parts of the batch are tested',
  BISECTION_TEST_RUN_PASSED: 'it passes without the one that broke its batch',
  TEST_RUNNER_ERROR: 'its test run was lost, so it is tested again',
  TARGET_BRANCH_FAILED: 'the branch fails by itself, so it is tested again when the branch passes',
  TEST_RUN_REQUIRED_STATUS_FAILED: 'its tests fail',
  TEST_RUN_TIMEOUT: 'its tests took too long',
  START_TEST_RUN_MERGE_CONFLICT: 'it conflicts with what has merged before it',
  START_TEST_RUN_RETRY_EXHAUSTED: 'its test runs were lost too often',
  TEST_RUN_FAILED_BY_OPTIMIZATION: 'a run that contains it has failed',
  PR_UPDATED_AT_MERGE_TIME: 'it was pushed to while it merged',
  GITHUB_API_MERGE_PR_FAILED: 'the host refuses to merge it',
  USER_REQUESTED: 'somebody asked for it',
  PR_CLOSED: 'it was closed',
  PR_PUSHED_TO: 'it was pushed to, so what was submitted is no longer what it holds',
  PR_BASE_BRANCH_CHANGED: 'it wishes to merge into another branch now',
  PR_CONVERTED_TO_DRAFT: 'it is a draft now',
  queue_paused: 'the queue is paused',
  queue_draining: 'the queue takes no one in',
  queue_switching_modes: 'the queue changes its mode',
  not_mergeable: 'it conflicts with the branch, or an approval is missing',
  impacted_targets_missing: 'its impacted targets are not known',
}

/** Empty for a reason that says nothing beyond the state. */
export function reasonText(reason: string): string {
  return texts[reason] ?? ''
}
