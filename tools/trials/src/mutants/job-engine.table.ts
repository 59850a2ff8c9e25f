import { inFile, type Mutant } from './mutant';

const LIB = 'libs/job-engine/src';

export const JOB_ENGINE_MUTANTS: readonly Mutant[] = [
  ...inFile(`${LIB}/lease.ts`, [`${LIB}/lease.spec.ts`], {
    'renews-too-late': {
      find: 'setInterval(() => void this.renew(), ms / 3)',
      replace: 'setInterval(() => void this.renew(), ms)',
      defect: 'A lease is renewed when it has already ended.',
    },
    'trusts-monotonic-clock': {
      find: 'Math.max(monotonic - this.confirmedAt.monotonic, wall - this.confirmedAt.wall)',
      replace: 'Math.max(monotonic - this.confirmedAt.monotonic, wall - wall)',
      defect: 'A suspended machine believes that it still holds its jobs.',
    },
    'trusts-wall-clock': {
      find: 'Math.max(monotonic - this.confirmedAt.monotonic, wall - this.confirmedAt.wall)',
      replace: 'Math.max(monotonic - monotonic, wall - this.confirmedAt.wall)',
      defect: 'A wall clock that is set back extends every lease.',
    },
    'held-after-stop': {
      find: 'return !this.ended && this.age()',
      replace: 'return this.age()',
      defect: 'An attempt that lost its lease makes an irreversible call.',
    },
    'confirmed-when-answered': {
      find: 'if (await this.options.renew()) this.confirmedAt = requestedAt;',
      replace: 'if (await this.options.renew()) this.confirmedAt = now();',
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
  ...inFile(`${LIB}/retry.ts`, [`${LIB}/retry.spec.ts`], {
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
  ...inFile(`${LIB}/decide-failure.ts`, [`${LIB}/retry.spec.ts`], {
    'one-attempt-too-many': {
      find: 'if (job.attempts >= job.maxAttempts)',
      replace: 'if (job.attempts > job.maxAttempts)',
      defect: 'A job has one attempt more than its limit.',
    },
    'waits-for-years': {
      find: 'Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS)',
      replace: 'Math.max(seconds, 1)',
      defect: 'A wrong date of an external system holds a job for years.',
    },
    'waits-no-time': {
      find: 'Math.min(Math.max(seconds, 1), LONGEST_WAIT_SECONDS)',
      replace: 'Math.min(seconds, LONGEST_WAIT_SECONDS)',
      defect: 'A date in the past makes a job ask a limited system without pause.',
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
  ...inFile(`${LIB}/poller.ts`, [`${LIB}/poller.spec.ts`], {
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
    'not-woken-by-commits': {
      find: 'void (this.failures > 0 || this.poller.wake())',
      replace: 'void (this.failures > 0)',
      defect: 'Every message waits for the next sweep.',
    },
    'waits-for-refusing-topic': {
      find: 'TOPICS.filter((topic) => !this.refusing.has(topic))',
      replace: 'TOPICS.filter((topic) => !this.refusing.has(`${topic} `))',
      defect: 'A topic that does not answer delays all others.',
    },
    'parked-rows-not-released': {
      find: '      await database.read.outbox.release(topic, [...MESSAGE_FAILURES]);\n',
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
      find: 'if (irreversible.length > 0 && !(stage.commit.intended && stage.commit.unknown))',
      replace: 'if (irreversible.length > 0 && !(stage.commit.intended || stage.commit.unknown))',
      defect: 'A stage makes irreversible calls whose outcome it cannot record.',
    },
  }),
  ...inFile(`${LIB}/worker-heartbeat.ts`, [`${LIB}/worker-heartbeat.spec.ts`], {
    'every-heartbeat-is-the-first': {
      find: 'FORGET_AFTER_SECONDS, !this.isKnown)',
      replace: 'FORGET_AFTER_SECONDS, true)',
      defect: 'Every worker seems to have started with its last heartbeat.',
    },
    'logs-each-missed-heartbeat': {
      find: 'if (!this.failing) logger.warn',
      replace: 'logger.warn',
      defect: 'An outage of the database fills the log.',
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
      find: '    return this.database.read.outbox.discardUnsent();\n',
      replace: '    return Promise.resolve();\n',
      defect: 'Messages of an earlier configuration are published when Kafka is configured again.',
    },
    'unreadable-message-dropped': {
      find: '        await this.database.read.quarantine.add({ topic, partition, messageOffset: offset, body: text, reason });\n',
      replace: '',
      defect: 'An unreadable message disappears without a trace.',
    },
    'not-announced-by-rows': {
      find: '      listener.onRequested();\n',
      replace: '',
      defect: 'On the postgres bus every job waits for the next poll.',
    },
  }),
];
