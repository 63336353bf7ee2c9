/**
 * The shapes on the wire. Generated from openapi.json: change that, then run
 * `npm run build && npx vitest run dist/server/contract/wire.test.js -u`.
 */

export type TargetBranch = string
export type PullRequestNumber = number | string
export type RequiredStatuses = string[] | null
export type WriteQueue = QueueRef &
  QueueSettings & {
    deleteRequiredStatuses?: boolean
  }
export type Instant = string
export type PullRequestState =
  | 'NOT_READY'
  | 'PENDING'
  | 'TESTING'
  | 'TESTS_PASSED'
  | 'MERGED'
  | 'FAILED'
  | 'CANCELLED'
  | 'PENDING_FAILURE'
  | 'not_ready'
  | 'pending'
  | 'testing'
  | 'tests_passed'
  | 'merged'
  | 'failed'
  | 'cancelled'
  | 'pending_failure'
export type QueueState =
  | 'RUNNING'
  | 'PAUSED'
  | 'DRAINING'
  | 'SWITCHING_MODES'
  | 'running'
  | 'paused'
  | 'draining'
  | 'switching_modes'
export type TestRunId = string
export type Reason = string | null
export type NotReadyReason =
  | 'queue_paused'
  | 'queue_draining'
  | 'queue_switching_modes'
  | 'not_mergeable'
  | 'impacted_targets_missing'
  | 'dependency_not_ready'
export type SubmittedPullRequest = EnqueuedPullRequest & {
  readiness: Readiness
  isCurrentlySubmittedToQueue: boolean
  forceEnqueued: boolean
  verifiedByTestRun: TestRunId | null
  reason: Reason
  evidence: Evidence | null
  position: number | null
  timeline?: TimelineEntry[]
  why?: Why
}
export type Queue = QueueConfiguration & {
  enqueuedPullRequests: EnqueuedPullRequest[]
}
export type TestingDetails = TestRun | TestRuns

export interface Repository {
  host: string
  owner: string
  name: string
}
export interface PullRequestRef {
  number: PullRequestNumber
}
export interface PullRequestAtCommit {
  number: PullRequestNumber
  sha?: string
}
export interface QueueRef {
  repo: Repository
  targetBranch: TargetBranch
}
export interface PullRequestInQueue {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestRef
}
export interface SubmitPullRequest {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestAtCommit
  priority?: number | ('urgent' | 'high' | 'medium' | 'low') | null
  noBatch?: boolean
  dependsOn?: number[]
}
export interface GetSubmittedPullRequest {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestRef
  includeTimeline?: boolean
  includeWhy?: boolean
}
export interface SetImpactedTargets {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestAtCommit
  impactedTargets: string[] | ('ALL' | 'IMPACTS_ALL')
}
export interface GetMergeQueueTestingDetails {
  repo: Repository
  targetBranch: TargetBranch
  testRunId?: string
}
export interface ListPullRequests {
  repo: Repository
  targetBranch: TargetBranch
  state?:
    | 'NOT_READY'
    | 'PENDING'
    | 'TESTING'
    | 'TESTS_PASSED'
    | 'MERGED'
    | 'FAILED'
    | 'CANCELLED'
    | 'PENDING_FAILURE'
  since?: string
  cursor?: string
  take?: number
}
export interface TestName {
  name: string
  file?: string
}
export interface ReportTestRun {
  testRunId: string
  outcome: 'passed' | 'failed' | 'errored'
  failedTests?: TestName[]
  flakyTests?: TestName[]
  url?: string
}
export interface LinkTicketToTestCase {
  test_case_id: string
  external_ticket_id: string
  repo: Repository
}
export interface ListTestCases {
  repo: Repository
  cursor?: string
  take?: number
}
export interface QuarantineTest {
  repo: Repository
  targetBranch: TargetBranch
  test: string
  why?: string
  until?: string
}
export interface ReleaseTest {
  repo: Repository
  targetBranch: TargetBranch
  test: string
}
export interface QueueSettings {
  state?: 'RUNNING' | 'PAUSED' | 'DRAINING'
  policy?: 'documented' | 'adaptive'
  mode?: 'single' | 'parallel'
  concurrency?: number
  bisectionConcurrency?: number | null
  testingTimeoutMinutes?: number
  pendingFailureDepth?: number
  canOptimisticallyMerge?: boolean
  batch?: boolean
  batchingMaxWaitTimeMinutes?: number
  batchingMinSize?: number
  mergeMethod?: 'squash' | 'merge_commit' | 'rebase'
  directMergeMode?: 'off' | 'always'
  tipTestMode?: 'policy' | 'off' | 'always'
  optimizationMode?: 'off' | 'bisection_skip_redundant_tests'
  requiredStatuses?: RequiredStatuses
  createPrsForTestingBranches?: boolean
  commentsEnabled?: boolean
  commandsEnabled?: boolean
  statusCheckEnabled?: boolean
  extensionEnabled?: boolean
  labelCommandsEnabled?: boolean
  stateLabelsEnabled?: boolean
  enqueueingLabel?: string
}
export interface Nothing {
  [k: string]: unknown
}
export interface EnqueuedPullRequest {
  id: string
  state: PullRequestState
  notReadyReasons?: NotReadyReason[]
  stateChangedAt: Instant
  priorityValue: number
  priorityName: string
  usedDefaultPriorityName?: string
  skipTheLine: boolean
  noBatch: boolean
  dependsOn?: number[]
  leftWith?: number
  quarantined?: string[]
  prNumber: number
  prTitle: string
  prSha: string
  prBaseBranch: string
  prAuthor: string
  mergeRequested?: true
}
export interface Readiness {
  hasImpactedTargets: boolean
  requiresImpactedTargets: boolean
  doesBaseBranchMatch: boolean
  gitHubMergeability: 'mergeable' | 'not_mergeable' | 'in_progress' | 'unspecified'
}
export interface Evidence {
  failedIn: TestRunId | null
  passedWithout: TestRunId | null
  failedTests: TestName[]
}
export interface Why {
  sentence: string
  conflictsWith: number | null
  stack?: Stacked[]
  runs: RunInWhy[]
  logOf: TestRunId | null
}
export interface Stacked {
  number: number
  state: PullRequestState | null
  dependsOn: number[]
}
export interface RunInWhy {
  testRunId: TestRunId
  number: number
  outcome: 'passed' | 'failed' | 'errored' | 'timed_out' | 'cancelled' | null
  tested: number[]
  base: number[]
  url?: string
}
export interface TimelineEntry {
  state: PullRequestState
  reason: Reason
  timestamp: Instant
  testRunId?: TestRunId
  by?: Actor
}
export interface Actor {
  token: string
  request?: string
}
export interface QueueConfiguration {
  branch: string
  state: QueueState
  policy: 'documented' | 'adaptive'
  mode: 'single' | 'parallel'
  concurrency: number
  bisectionConcurrency: number
  testingTimeoutMinutes: number
  pendingFailureDepth: number
  canOptimisticallyMerge: boolean
  batch: boolean
  batchingMaxWaitTimeMinutes: number
  batchingMinSize: number
  mergeMethod: 'squash' | 'merge_commit' | 'rebase'
  directMergeMode: 'off' | 'always'
  tipTestMode: 'policy' | 'off' | 'always'
  optimizationMode: 'off' | 'bisection_skip_redundant_tests'
  requiredStatuses: RequiredStatuses
  createPrsForTestingBranches: boolean
  commentsEnabled: boolean
  commandsEnabled: boolean
  statusCheckEnabled: boolean
  extensionEnabled: boolean
  labelCommandsEnabled: boolean
  stateLabelsEnabled: boolean
  enqueueingLabel: string
}
export interface TestedPullRequest {
  prNumber: number
  prUrl: string
  title: string
}
export interface StatusCheck {
  context: string
  state: 'pending' | 'success' | 'failure' | 'error'
  url?: string
}
export interface TestRun {
  testRunId: TestRunId
  status: 'in_progress' | 'succeeded' | 'failed' | 'cancelled'
  isBisection: boolean
  createdAt: Instant
  testBranch: string
  testBranchSha: string
  requiredStatuses: string[]
  testedPullRequests: TestedPullRequest[]
  dependentPrs: number[]
  impactedTargetsForTestedPrs: string[]
  impactedTargets: string[]
  statusChecks: StatusCheck[]
  checkSuites: {
    [k: string]: unknown
  }[]
}
export interface TestRuns {
  testRuns: TestRun[]
}
export interface PullRequestPage {
  pullRequests: EnqueuedPullRequest[]
  nextCursor?: string
}
export interface ReportedTestCase {
  name: string
  test_case_id: string
}
export interface TestRunReported {
  ignored?: true
  testCases: ReportedTestCase[]
}
export interface TicketLink {
  test_case_id: string
  external_ticket_id: string
  linkedAt: Instant
}
export interface TestCase {
  test_case_id: string
  name: string
  file: string
  flakes: number
  lastFlakeAt: Instant | null
  external_ticket_id: string | null
}
export interface TestCasePage {
  testCases: TestCase[]
  nextCursor?: string
}
export interface QuarantinedTest {
  test: string
  who?: string
  why?: string
  since: Instant
  until?: Instant
  inForce: boolean
  merges: number
}
export interface QuarantineProposal {
  test: string
  failures: number
  flakes: number
}
export interface Quarantine {
  merges: number
  tests: QuarantinedTest[]
  proposals: QuarantineProposal[]
}
export interface Health {
  status: 'ok'
  warnings?: string[]
}
export interface PullRequestMessage {
  type:
    | 'pull_request.submitted'
    | 'pull_request.queued'
    | 'pull_request.testing'
    | 'pull_request.pending_failure'
    | 'pull_request.tests_passed'
    | 'pull_request.failed'
    | 'pull_request.canceled'
    | 'pull_request.merged'
  timestamp: Instant
  repository: Repository
  target_branch: TargetBranch
  sequence: number
  page_url?: string
  pr_number: number
  because_of_pr_number?: number
  failed_tests?: string[]
  passed_without_test_run_id?: string
  submitted_reason?: string
  queued_reason?: string
  failure_reason?: string
  tests_passed_reason?: string
  cancellation_reason?: string
  merged_reason?: string
  why?: string
  test_run_id?: TestRunId
  is_bisection?: boolean
  status:
    | 'submitted'
    | 'queued'
    | 'testing'
    | 'pending_failure'
    | 'tests_passed'
    | 'failed'
    | 'canceled'
    | 'merged'
  by?: Actor
}
export interface BatchMessage {
  type:
    | 'pull_request_batch.queued'
    | 'pull_request_batch.testing'
    | 'pull_request_batch.pending_failure'
    | 'pull_request_batch.tests_passed'
    | 'pull_request_batch.failed'
    | 'pull_request_batch.canceled'
    | 'pull_request_batch.merged'
  timestamp: Instant
  repository: Repository
  target_branch: TargetBranch
  sequence: number
  page_url?: string
  pr_numbers: [number, number, ...number[]]
  because_of_pr_number?: number
  queued_reason?: string
  failure_reason?: string
  tests_passed_reason?: string
  cancellation_reason?: string
  merged_reason?: string
  why?: string
  test_run_id?: TestRunId
  is_bisection?: boolean
  status:
    | 'queued'
    | 'testing'
    | 'pending_failure'
    | 'tests_passed'
    | 'failed'
    | 'canceled'
    | 'merged'
  by?: Actor
}
export interface QueueMessage {
  type: 'queue.created' | 'queue.updated' | 'queue.deleted'
  timestamp: Instant
  repository: Repository
  target_branch: TargetBranch
  sequence: number
  page_url?: string
  status: 'running' | 'paused' | 'draining' | 'switching_modes'
  by?: Actor
}
export interface OpenPullRequest {
  repo: Repository
  targetBranch: TargetBranch
  branch: string
}
export interface OpenedPullRequest {
  pr: PullRequestRef
}
export interface GetTestRunLog {
  repo: Repository
  targetBranch: TargetBranch
  testRunId: string
}
export interface TestRunLog {
  log: string
  bytes: number
}
export interface RepositoryStatus {
  url: string
  testsItself: boolean
  lastLookAt: Instant | null
  faults: string[]
}
export interface ReportPullRequest {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestRef
  title?: string
  author?: string
  base?: string
  mergeable?: boolean
  greenOnTip?: boolean
  conflictsWith?: PullRequestNumber[]
}
export interface ReportPush {
  repo: Repository
  targetBranch: TargetBranch
  commit?: string
}
export interface ReportManualMerge {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestRef
  commit?: string
}
export interface FinishMerge {
  repo: Repository
  targetBranch: TargetBranch
  pr: PullRequestRef
  outcome: 'merged' | 'refused' | 'targetMoved'
  reason?:
    | 'PR_UPDATED_AT_MERGE_TIME'
    | 'GITHUB_API_MERGE_PR_FAILED'
    | 'START_TEST_RUN_MERGE_CONFLICT'
  numbers?: [PullRequestNumber, ...PullRequestNumber[]]
  commits?: string[]
}
export interface ReportUnbuildable {
  repo: Repository
  targetBranch: TargetBranch
  testRunId: string
  pr: PullRequestRef
  conflictsWith: PullRequestNumber | null
}
export interface AttachCodeHost {
  repo: Repository
  targetBranch: TargetBranch
  codeHost: 'answers' | 'groups'
}
export interface Operations {
  submitPullRequest: { body: SubmitPullRequest; answer: SubmittedPullRequest }
  cancelPullRequest: { body: PullRequestInQueue; answer: Nothing }
  restartTestsOnPullRequest: { body: PullRequestInQueue; answer: Nothing }
  getSubmittedPullRequest: { body: GetSubmittedPullRequest; answer: SubmittedPullRequest }
  setImpactedTargets: { body: SetImpactedTargets; answer: Nothing }
  listPullRequests: { body: ListPullRequests; answer: PullRequestPage }
  createQueue: { body: WriteQueue; answer: QueueConfiguration }
  getQueue: { body: QueueRef; answer: Queue }
  updateQueue: { body: WriteQueue; answer: QueueConfiguration }
  deleteQueue: { body: QueueRef; answer: Nothing }
  getMergeQueueTestingDetails: { body: GetMergeQueueTestingDetails; answer: TestingDetails }
  reportTestRun: { body: ReportTestRun; answer: TestRunReported }
  'flaky-tests/link-ticket-to-test-case': { body: LinkTicketToTestCase; answer: TicketLink }
  'flaky-tests/list-test-cases': { body: ListTestCases; answer: TestCasePage }
  quarantineTest: { body: QuarantineTest; answer: Nothing }
  releaseTest: { body: ReleaseTest; answer: Nothing }
  getQuarantine: { body: QueueRef; answer: Quarantine }
  openPullRequest: { body: OpenPullRequest; answer: OpenedPullRequest }
  getTestRunLog: { body: GetTestRunLog; answer: TestRunLog }
  getRepositoryStatus: { body: QueueRef; answer: RepositoryStatus }
  reportPullRequest: { body: ReportPullRequest; answer: Nothing }
  reportPush: { body: ReportPush; answer: Nothing }
  reportManualMerge: { body: ReportManualMerge; answer: Nothing }
  finishMerge: { body: FinishMerge; answer: Nothing }
  reportUnbuildable: { body: ReportUnbuildable; answer: Nothing }
  attachCodeHost: { body: AttachCodeHost; answer: Nothing }
}
