import { inFile, type Mutant } from './mutant';

const LIB = 'libs/job-engine/src';
const SIMULATION = 'tools/trials/src/simulation/simulation.spec.ts';

export const JOB_ENGINE_MUTANTS: readonly Mutant[] = [
  ...inFile(`${LIB}/lease.ts`, [`${LIB}/lease.spec.ts`], {
    'renews-too-late': {
      find: 'setInterval(() => void this.renew(), ms / 3)',
      replace: 'setInterval(() => void this.renew(), ms)',
      defect: 'A lease is renewed when it has already ended.',
    },
    'trusts-monotonic-clock': {
      find: 'Math.max(monotonic - then.monotonic, wall - then.wall, up - then.up)',
      replace: 'Math.max(monotonic - then.monotonic, wall - wall, up - up)',
      defect: 'A suspended machine believes that it still holds its jobs.',
    },
    'trusts-wall-clock': {
      find: 'Math.max(monotonic - then.monotonic, wall - then.wall, up - then.up)',
      replace: 'Math.max(monotonic - monotonic, wall - then.wall, up - up)',
      defect: 'A wall clock that is set back extends every lease.',
    },
    'held-after-stop': {
      find: 'return !this.ended && !this.isOverdue',
      replace: 'return !this.isOverdue',
      defect: 'An attempt that lost its lease makes an irreversible call.',
    },
    'confirmed-when-answered': {
      find: 'if (await this.options.renew()) this.confirmedAt = requestedAt;',
      replace: 'if (await this.options.renew()) this.confirmedAt = leaseInstant();',
      defect: 'A slow answer makes a worker believe in a lease longer than the database grants it.',
    },
    'overlapping-renewals': {
      find: 'if (this.renewing || this.ended) return;',
      replace: 'if (this.ended) return;',
      defect: 'Each renewal that a slow database has not answered adds another request.',
    },
    'loses-twice': {
      find: '    if (this.ended) return;\n    this.stop();\n',
      replace: '    this.stop();\n',
      defect: 'An attempt is stopped twice, the second time for a lease that it gave up itself.',
    },
  }),
  ...inFile(`${LIB}/lease.ts`, [`${LIB}/lease.spec.ts`], {
    'lost-before-the-answer-is-read': {
      find: '    setImmediate(() => {\n      if (this.isOverdue) this.lose',
      replace: '    void Promise.resolve().then(() => {\n      if (this.isOverdue) this.lose',
      defect: 'A busy process gives up attempts whose leases the database has renewed.',
    },
    'lost-while-it-is-committed': {
      find: 'if (!this.committing) this.options.onLost(why);',
      replace: 'this.options.onLost(why);',
      defect: 'The log warns of lost leases of jobs that have just ended.',
    },
    'end-without-renewals': {
      find: 'if (!this.isOverdue || this.committing) return;',
      replace: 'if (!this.isOverdue) return;',
      defect: 'After an outage another worker repeats a job whose end could still be written.',
    },
  }),
  ...inFile(`${LIB}/leader-lease.ts`, [`${LIB}/leader-lease.spec.ts`], {
    'leads-from-the-answer': {
      find: 'this.heldUntil = requestedAt + seconds * 1000;',
      replace: 'this.heldUntil = performance.now() + seconds * 1000;',
      defect: 'A slow answer makes a process lead longer than the database grants it.',
    },
    'leads-through-an-outage': {
      find: '      this.fence = null;\n      if (before',
      replace: '      if (before',
      defect: 'A process that cannot reach the database continues to lead.',
    },
    'leads-after-the-lease': {
      find: 'return this.fence !== null && performance.now() < this.heldUntil;',
      replace: 'return this.fence !== null;',
      defect: 'A process leads although its lease ended.',
    },
  }),
  ...inFile(`${LIB}/decide-failure.ts`, [`${LIB}/decide-failure.spec.ts`], {
    'linear-backoff': {
      find: 'firstSeconds * 4 ** Math.max(0, attempt - 1)',
      replace: 'firstSeconds * 4 * Math.max(0, attempt - 1)',
      defect: 'Retries do not slow down during a long outage.',
    },
    'no-jitter': {
      find: 'ceiling * (0.1 + 0.9 * random)',
      replace: 'ceiling * (1 + 0 * random)',
      defect: 'Jobs that failed together are retried together.',
    },
  }),
  ...inFile(`${LIB}/decide-failure.ts`, [`${LIB}/decide-failure.spec.ts`], {
    'one-attempt-too-many': {
      find: 'if (job.attempts >= job.maxAttempts)',
      replace: 'if (job.attempts > job.maxAttempts)',
      defect: 'A job has one attempt more than its limit.',
    },
    'waits-for-years': {
      find: 'Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS)',
      replace: 'Math.max(seconds, 1)',
      defect: 'A wrong date of an external system holds a job for years.',
    },
    'waits-no-time': {
      find: 'Math.min(Math.max(seconds, 1), MAX_WAIT_SECONDS)',
      replace: 'Math.min(seconds, MAX_WAIT_SECONDS)',
      defect: 'A date in the past makes a job ask a limited system without pause.',
    },
    'outage-counts': {
      find: ', failure, counts: false }',
      replace: ', failure }',
      defect: 'An outage of the object storage uses up the attempts of all jobs.',
    },
    'stage-rule-ignored': {
      find: 'switch (rule) {',
      replace: 'switch (FAILURE_POLICY[failure.kind] ?? rule) {',
      defect: 'A stage cannot rule out the retry of a failure.',
    },
    'dead-job-promises-retry': {
      find: "FAILURE_POLICY[failure.kind] === 'never' ? failure : changeFailure(failure, { attempts })",
      replace: "FAILURE_POLICY[failure.kind] === 'never' ? changeFailure(failure, { attempts }) : failure",
      defect: 'The message of a dead job says that it is retried automatically.',
    },
  }),
  ...inFile('libs/resilience/src/poller.ts', ['libs/resilience/src/poller.spec.ts'], {
    'polls-twice-at-once': {
      find: '    if (this.running === null) this.schedule();\n',
      replace: '    this.schedule();\n',
      defect: 'Two polls of one process run at the same time.',
    },
    'wake-during-run-lost': {
      find: "    this.wanted = 'no';\n    await this.work();\n",
      replace: "    await this.work();\n    this.wanted = 'no';\n",
      defect: 'A job that is announced during a poll waits for the next interval.',
    },
    'urgent-wake-waits': {
      find: "(this.wanted === 'soon' && !urgent)",
      replace: "this.wanted === 'soon'",
      defect: 'A free slot waits for a gap that other announcements started.',
    },
    'logs-each-failure': {
      find: 'if (this.failures === 0) logger.warn',
      replace: 'logger.warn',
      defect: 'An outage of the database fills the log.',
    },
    'stop-does-not-wait': {
      find: '    await this.running;\n',
      replace: '',
      defect: 'A process closes its database while a poll still uses it.',
    },
    'polls-in-the-context-of-the-waker': {
      find: 'AsyncResource.bind(() => this.run())',
      replace: '() => this.run()',
      defect: 'Polls belong to the trace and the attempt that happened to wake them.',
    },
  }),
  ...inFile(`${LIB}/outbox-relay.ts`, [`${LIB}/outbox-relay.int.spec.ts`], {
    'deletes-refused-rows': {
      find: 'if (taken.length > 0) await uow.outbox.remove(taken);',
      replace: 'await uow.outbox.remove(rows.map(({ id }) => id));',
      defect: 'A message that the bus refused is lost.',
    },
    'refused-rows-not-parked': {
      find: '      await this.park(uow, refused);\n',
      replace: '',
      defect: 'A refused message is sent again without a pause.',
    },
    'bad-message-blocks-topic': {
      find: 'if (rows.length === 1 || !isMessageFailure(error)) return',
      replace: 'if (rows.length > 0 || !isMessageFailure(error)) return',
      defect: 'One message that is too large holds back all others of its batch.',
    },
    'refused-message-repeats-others': {
      find: 'apart || MESSAGE_FAILURES.has',
      replace: 'apart && MESSAGE_FAILURES.has',
      defect: 'Each retry of a message that is too large appends messages of other topics again.',
    },
    'refusal-of-one-topic-parks-all': {
      find: '      () => this.publishApart(rows),\n',
      replace: '      (error: unknown) => rows.map((row) => ({ row, error })),\n',
      defect: 'A topic that refuses its messages stops all others.',
    },
    'not-woken-by-commits': {
      find: 'void (this.poller.failures > 0 || this.poller.wake())',
      replace: 'void (this.poller.failures > 0)',
      defect: 'Every message waits for the next sweep.',
    },
    'busy-relay-does-not-collect': {
      find: 'this.lastSent < BUSY_FROM ? PASS_GAP_MS.quiet : PASS_GAP_MS.busy',
      replace: 'PASS_GAP_MS.quiet',
      defect: 'A busy process sends more requests with fewer messages each.',
    },
    'waits-for-refusing-topic': {
      find: 'TOPICS.filter((topic) => !this.refusing.has(topic))',
      replace: 'TOPICS.filter((topic) => !this.refusing.has(`${topic} `))',
      defect: 'A topic that does not answer delays all others.',
    },
    'parked-rows-not-released': {
      find: '    await this.options.database.read.outbox.release(topic, [...MESSAGE_FAILURES]);\n',
      replace: '',
      defect: 'After an outage the messages of a topic wait for their pause of up to minutes.',
    },
    'topic-pause-grows-for-hours': {
      find: 'const DOUBLINGS = { topic: 3, message: 8 };',
      replace: 'const DOUBLINGS = { topic: 8, message: 8 };',
      defect: 'A topic is not probed for minutes after a short outage.',
    },
  }),
  ...inFile(`${LIB}/prove-wiring.ts`, [`${LIB}/prove-wiring.spec.ts`], {
    'starts-without-a-stage': {
      find: 'else if (times < expected)',
      replace: 'else if (times < expected - 1)',
      defect: 'A process starts although no one consumes one of its topics.',
    },
    'starts-with-two-equal-steps': {
      find: 'if (names.filter((other) => other === name).length > 1)',
      replace: 'if (names.filter((other) => other === name).length > 2)',
      defect: 'A resumed attempt takes the output of one step for that of another.',
    },
    'starts-without-intent': {
      find: '!(stage.commit.intended && stage.commit.unknown)',
      replace: '!(stage.commit.intended || stage.commit.unknown)',
      defect: 'A stage makes irreversible calls whose outcome it cannot record.',
    },
  }),
  ...inFile(`${LIB}/run-worker.ts`, [`${LIB}/run-worker.int.spec.ts`], {
    'drains-twice': {
      find: '(draining ??= host.stop()',
      replace: '(draining = host.stop()',
      defect: 'An error during a drain begins a second one, which closes what the first one still uses.',
      test: 'begins no second drain',
    },
  }),
  ...inFile(`${LIB}/worker-heartbeat.ts`, [`${LIB}/worker-heartbeat.spec.ts`], {
    'every-heartbeat-is-the-first': {
      find: 'FORGET_AFTER_SECONDS, !isKnown)',
      replace: 'FORGET_AFTER_SECONDS, true)',
      defect: 'Every worker seems to have started with its last heartbeat.',
    },
    'stopped-worker-stays-listed': {
      find: '    await database.read.heartbeats.remove(id).catch(() => undefined);\n',
      replace: '',
      defect: 'A worker that was stopped in order is reported as silent.',
    },
  }),
  ...inFile(`${LIB}/systems.ts`, [`${LIB}/systems.int.spec.ts`], {
    'publishes-without-kafka': {
      find: "publishing: { requests: config.bus.kind === 'kafka', facts",
      replace: 'publishing: { requests: true, facts',
      defect: 'Without Kafka the outbox grows, because nothing sends its messages.',
    },
  }),
  ...inFile(`${LIB}/job-bus.ts`, [`${LIB}/job-bus.int.spec.ts`], {
    'former-messages-kept': {
      find: 'prepare: () => database.read.outbox.discardUnsent(),',
      replace: 'prepare: () => Promise.resolve(),',
      defect: 'Messages of an earlier configuration are published when Kafka is configured again.',
    },
    'unreadable-message-dropped': {
      find: '          await database.read.quarantine.add({ topic, partition, messageOffset: offset, body: text, reason });\n',
      replace: '',
      defect: 'An unreadable message disappears without a trace.',
    },
    'not-announced-by-rows': {
      find: '      listener.onRequested();\n',
      replace: '',
      defect: 'On the postgres bus every job waits for the next poll.',
    },
  }),
  ...inFile(`${LIB}/group-commit.ts`, [`${LIB}/group-commit.int.spec.ts`], {
    'failed-commit-fails-the-group': {
      find: 'else void this.commitSingly(group);',
      replace: 'else for (const { reject } of group) reject(error);',
      defect: 'One failing stage commit uses up an attempt of every job that ended with it.',
    },
    'shared-transaction-without-limits': {
      find: '{ limits: LIMITS, defersMoves: group.length > 1 }',
      replace: '{ defersMoves: group.length > 1 }',
      defect: 'A commit that waits for a lock holds back those of all other jobs.',
    },
    'ends-are-committed-one-by-one': {
      find: 'const MAX_GROUP_SIZE = 50;',
      replace: 'const MAX_GROUP_SIZE = 1;',
      defect: 'Each job pays for a transaction of its own.',
    },
    'next-jobs-claimed-separately': {
      find: 'asking.has(claimant) || claimant.mayHaveMore || uow.outbox.hasRequested(claimant.stage);',
      replace: 'asking.has(claimant);',
      defect: 'A free slot waits for the commit and then for a claim.',
    },
  }),
  ...inFile(`${LIB}/group-commit.ts`, [`${LIB}/lost-workers.int.spec.ts`], {
    'lost-end-counts-as-committed': {
      find: "  if (!results.has(attempt)) throw new LostLease('the job was taken by another worker');\n",
      replace: '',
      defect: 'A worker that lost its job settles the message, although another one still runs it.',
      test: 'rolls back the whole commit of an attempt that lost its lease',
    },
  }),
  ...inFile(`${LIB}/attempt-commits.ts`, [`${LIB}/group-commit.int.spec.ts`], {
    'writes-for-a-lost-job': {
      find: 'if (ours.has(one.job.id)) results.set(one, await one.write(uow));',
      replace: 'results.set(one, await one.write(uow));',
      defect: 'A worker that lost its job moves the item a second time.',
    },
  }),
  ...inFile(`${LIB}/job-attempt.ts`, [`${LIB}/lost-workers.int.spec.ts`], {
    'call-after-refusal': {
      find: 'refused = (await this.bound.stage.commit.intended?.(uow, input, stepInput, job)) ?? null;',
      replace: 'await this.bound.stage.commit.intended?.(uow, input, stepInput, job);',
      defect: 'A post that the stage refused at the last moment is published all the same.',
      test: 'skips the item without the call when the stage refuses the intent',
    },
  }),
  ...inFile(`${LIB}/job-attempt.ts`, [`${LIB}/claims-ahead.int.spec.ts`], {
    'given-back-job-starts': {
      find: "if (this.stop === 'drain' && job.intentStep === null)",
      replace: "if (this.stop === 'drain' && job.intentStep === '')",
      defect: 'The history of an item says that a stage started, although its job was given back without being run.',
      test: 'gives jobs back that wait behind a long one',
    },
    'given-back-job-forgets-its-call': {
      find: "if (this.stop === 'drain' && job.intentStep === null)",
      replace: "if (this.stop === 'drain')",
      defect: 'A post is published twice when the worker that takes it over after a crash stops before it begins.',
      test: 'records the unknown outcome of a call instead of giving its job back',
    },
  }),
  ...inFile(`${LIB}/attempt-commits.ts`, [`${LIB}/attempt-commits.spec.ts`], {
    'final-failure-is-retried': {
      find: 'if (outcome.final) return',
      replace: 'if (outcome.final && job.attempts > 1) return',
      defect: 'A failure that no retry changes is retried.',
    },
    'retry-rule-without-input': {
      find: 'hasInput(input) ? stage.retryRule?.(outcome.failure, input) : undefined',
      replace: 'stage.retryRule?.(outcome.failure, input)',
      defect: 'A stage decides about the retry of an attempt whose input it never saw.',
    },
    'drain-cancels-jobs': {
      find: 'return { state: outcome.kind };',
      replace: "return { state: 'cancelled' };",
      defect: 'A deployment cancels the jobs in flight.',
    },
  }),
  ...inFile(`${LIB}/attempt-commits.ts`, [`${LIB}/stage-runner.int.spec.ts`], {
    'released-job-is-not-announced': {
      find: "      if (end.state === 'released') uow.outbox.request([{ ...job, requestNumber: job.requestNumber + 1 }]);\n",
      replace: '',
      defect: 'With Kafka nothing starts a worker for a job that the last one gave back.',
    },
    'dead-letter-not-published': {
      find: "      if (end.state === 'dead') uow.outbox.bury(job, end.failure, step);\n",
      replace: '',
      defect: 'Readers of the dead letter topic learn of no failure.',
      test: 'retries a transient failure with backoff, then ends as dead',
    },
  }),
  ...inFile(`${LIB}/job-attempt.ts`, [`${LIB}/lost-workers.int.spec.ts`], {
    'call-repeated-after-a-crash': {
      find: 'if (job.intentStep !== null && !(job.intentStep in job.journal))',
      replace: "if (job.intentStep === '')",
      defect: 'A post is published twice when its worker died during the call.',
      test: 'records an unknown outcome instead of repeating',
    },
    'unanswered-call-is-a-failure': {
      find: "return { kind: 'unknown', failure: failureOf('call_unanswered'",
      replace: "return { kind: 'fail', failure: failureOf('call_unanswered'",
      defect: 'A call without an answer is repeated.',
      test: 'takes the outcome for unknown when the call throws',
    },
    'call-after-the-lease': {
      find: "if (this.stop === 'lost' || !this.keeper.isHeld) throw",
      replace: "if (this.stop === 'lost') throw",
      defect: 'A process that was frozen after its intent calls while another worker resolves it.',
      test: 'makes no irreversible call if the lease may have expired',
    },
    'step-after-the-lease': {
      find: '      this.assertHeld();\n      const refused',
      replace: '      const refused',
      defect: 'A process that was frozen makes another container of a post that is on the account meanwhile.',
      test: 'begins no step if the lease may have expired',
    },
    'attempts-without-limit': {
      find: '    if (job.attempts > job.maxAttempts)\n',
      replace: '    if (job.attempts > job.maxAttempts + 100)\n',
      defect: 'A job that kills its worker is claimed again and again.',
      test: 'counts an attempt at claim',
    },
    'published-job-dies': {
      find: "return end.state === 'dead' && called ?",
      replace: "return end.state === 'none' && called ?",
      defect: 'A post that is on the account counts as failed and is published again.',
      test: 'records an unknown outcome, not a failure',
    },
  }),
  ...inFile(`${LIB}/job-attempt.ts`, [`${LIB}/stage-runner.int.spec.ts`], {
    'finished-step-repeated': {
      find: '      if (index <= last) continue;\n',
      replace: '',
      defect: 'A resumed attempt uploads a file again.',
      test: 'resumes after the last journaled step',
    },
    'work-folder-kept': {
      find: "      if (this.folder !== '') await rm(this.folder, { recursive: true, force: true }).catch(() => undefined);\n",
      replace: '',
      defect: 'Each attempt leaves its files on the disk.',
      test: 'deletes its work folder',
    },
    'time-limit-ignored': {
      find: "setTimeout(() => this.interrupt('timeout'), this.bound.stage.limits.timeoutMs)",
      replace: 'setTimeout(() => undefined, this.bound.stage.limits.timeoutMs)',
      defect: 'A step that never ends holds its slot until the process is restarted.',
      test: 'stops an attempt at its time limit',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/lost-workers.int.spec.ts`], {
    'message-of-a-lost-job-settled': {
      find: "if (result !== 'lost') this.rememberEnd(job);",
      replace: 'this.rememberEnd(job);',
      defect: 'A job that another worker runs no longer counts as lag, and that worker is scaled away.',
      test: 'rolls back the whole commit of an attempt that lost its lease',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/claims-ahead.int.spec.ts`], {
    'claims-ahead-of-long-jobs': {
      find: 'Math.floor(this.aheadMs / this.averageMs)',
      replace: 'MAX_AHEAD_PER_SLOT',
      defect: 'Jobs wait behind long ones although another worker is idle.',
    },
    'jobs-behind-a-long-one-kept': {
      find: '> MAX_AHEAD_MS',
      replace: '> 1000 * MAX_AHEAD_MS',
      defect: 'A job that was claimed in advance waits as long as the job before it takes.',
    },
    'claims-beyond-slots': {
      find: 'if (taken >= this.slots + (',
      replace: 'if (taken > this.slots + (',
      defect: 'A process runs more jobs at a time than it has memory for.',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/job-bus.int.spec.ts`], {
    'late-message-waits-for-poll': {
      find: '    if (requestNumber <= lastEnd) return this.settle(jobId, (request) => request <= lastEnd);\n',
      replace: '',
      defect: 'Short jobs count as lag for a second after their end, and each of their rows is read again.',
      test: 'settles the late and repeated messages',
    },
    'message-of-next-request-settled': {
      find: 'if (requestNumber <= lastEnd) return this.settle(jobId, (request) => request <= lastEnd);',
      replace: 'if (lastEnd > 0) return this.settle(jobId, () => true);',
      defect: 'A job that is requested again does not count as lag.',
      test: 'settles the late and repeated messages',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [SIMULATION], {
    'running-message-settled': {
      find: "!(job.state === 'requested' || job.state === 'running')",
      replace: "!(job.state === 'requested')",
      defect: 'The message of a job that another worker runs is settled.',
      test: 'loses no job and doubles no effect',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/stage-runner.spec.ts`], {
    'message-of-a-later-request-settled': {
      find: 'return requestNumber === job.requestNumber && !(',
      replace: 'return !(',
      defect: 'A job that was requested again while its earlier row was read counts as finished work.',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/claim.int.spec.ts`], {
    'own-lapsed-job-claimed-again': {
      find: 'peopleOnly, except };',
      replace: 'peopleOnly, except: [] };',
      defect: 'A process runs a job twice at the same time after it was frozen.',
      test: 'does not take its own job a second time',
    },
  }),
  ...inFile(`${LIB}/stage-runner.ts`, [`${LIB}/claim.int.spec.ts`, `${LIB}/people-first.int.spec.ts`], {
    'slots-for-people-open-to-all': {
      find: 'peopleOnly, except };',
      replace: 'peopleOnly: false, except };',
      defect: 'Automatic jobs fill the slots that are kept for people.',
    },
  }),
];
