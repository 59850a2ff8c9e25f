import { inFile, type Mutant } from './mutant';

const KAFKA = 'libs/messaging/src/kafka';

export const MESSAGING_MUTANTS: readonly Mutant[] = [
  ...inFile(`${KAFKA}/kafka-subscription.ts`, [`${KAFKA}/kafka-subscription.spec.ts`], {
    'reads-lost-partition': {
      find: '    if (!this.assigned.has(partition)) return;\n',
      replace: '',
      defect: 'A fetch of a partition that another member owns by now is still processed.',
    },
    'new-member-keeps-progress': {
      find: 'this.commits.keepOnly(continued ? partitions : new Set());',
      replace: 'this.commits.keepOnly(partitions);',
      defect: 'A new member trusts the progress of its former membership and skips messages.',
    },
    'same-member-forgets-progress': {
      find: 'this.commits.keepOnly(continued ? partitions : new Set());',
      replace: 'this.commits.keepOnly(new Set());',
      defect: 'Each rebalance makes a continuing member run its jobs in flight again.',
    },
    'waiting-work-survives-loss': {
      find: '    this.waiting = this.waiting.filter((one) => !isLost(one));\n',
      replace: '',
      defect: 'Messages of a lost partition that still wait here are delivered beside those of its new owner.',
    },
    'no-partition-share': {
      find: '(running.get(partition) ?? 0) < share',
      replace: '(running.get(partition) ?? 0) < Infinity',
      defect: 'Slow partitions use up the limit together, so that the others wait for them.',
    },
    'delivers-from-a-copy': {
      find: '    for (let next = this.nextReady(); next !== undefined; next = this.nextReady()) {\n',
      replace: `    const share = Math.max(1, Math.floor(this.bound / this.partitions));
    for (const next of this.waiting.slice()) {
      if (this.running.size >= this.bound) return;
      if ([...this.running].filter(({ partition }) => partition === next.partition).length >= share) continue;
`,
      defect: 'Messages that were delivered because a handler settled at once are delivered again, and others in their place never.',
    },
    'no-read-ahead-share': {
      find: 'Math.max(1, this.assigned.size)',
      replace: '1',
      defect: 'One slow partition uses the whole read-ahead, so that the others wait for it.',
    },
    'lost-work-uses-the-limit': {
      find: '    for (const one of this.running) if (isLost(one)) this.running.delete(one);\n',
      replace: '',
      defect: 'After a rebalance nothing is delivered until the work of lost partitions has ended.',
    },
    'no-tail-limit': {
      find: 'inFlight >= share || tail >= this.settings.maxOutOfOrder',
      replace: 'inFlight >= share',
      defect: 'Ended messages behind a slow one are collected without limit.',
    },
    'no-in-flight-limit': {
      find: 'this.waiting.length === 0 || this.running.size >= this.bound',
      replace: 'this.waiting.length === 0',
      defect: 'More messages are delivered than the consumer accepts at a time.',
    },
    'rejected-message-lost': {
      find: '      setTimeout(() => this.redeliver(delivery), this.settings.redeliverMs).unref();\n',
      replace: '',
      defect: 'A message whose handler rejected is never delivered again and blocks its partition.',
    },
    'redelivers-lost-partition': {
      find: 'if (this.running.delete(delivery) && !this.stopping)',
      replace: 'if ((this.running.delete(delivery) || true) && !this.stopping)',
      defect: 'A rejected message is redelivered here after its partition went to another member.',
    },
    'quarantined-message-blocks': {
      find: '        settle();\n      }\n    } catch',
      replace: '      }\n    } catch',
      defect: 'An unreadable message is quarantined but never committed, and blocks its partition.',
    },
    'moves-blocker-at-once': {
      find: 'Date.now() - readAt >= tailMs',
      replace: 'Date.now() - readAt >= 0',
      defect: 'Every message that ends out of order makes the one before it be published again.',
    },
    'recreated-topic-ignored': {
      find: '    if (this.commits.of(partition).isAheadOf(BigInt(batch.highWatermark))) this.forget(partition);\n',
      replace: '',
      defect: 'After a topic was recreated its messages count as known and are skipped.',
    },
    'drain-does-not-wait': {
      find: "    if (this.running.size > 0 && deadlineMs > 0) await withinTime(this.idle(), deadlineMs, 'the drain').catch(() => undefined);\n",
      replace: '',
      defect: 'A drain leaves the group at once, so that running jobs are delivered to another member.',
    },
    'drain-skips-last-commits': {
      find: '    await this.lastCommits(deadlineMs > 0 ? LAST_COMMITS_MS : 0);\n',
      replace: '',
      defect: 'Jobs that end during a drain are not committed and run again.',
    },
    'pause-outlives-rejoin': {
      find: '    this.dropLost();\n    this.applyPauses();\n',
      replace: '    this.dropLost();\n',
      defect: 'A partition that was paused before a rebalance is never read again.',
    },
  }),
  ...inFile(`${KAFKA}/kafka-publisher.ts`, [`${KAFKA}/kafka-publisher.spec.ts`], {
    'sends-after-rejection': {
      find: "await withinTime(this.producer, timeoutMs, 'reaching a broker');",
      replace: 'await this.producer;',
      defect: 'A publish without a broker never ends, and sends late.',
    },
    'two-requests-in-flight': {
      find: 'const sent = this.last.then(() => ',
      replace: 'const sent = Promise.resolve().then(() => ',
      defect: 'Two requests of one producer are in flight, so that kafkajs can send sequence numbers out of order.',
    },
    'one-failure-ends-all': {
      find: 'this.last = sent.catch(() => undefined);',
      replace: 'this.last = sent;',
      defect: 'After one failed request every later one is rejected without being sent.',
    },
    'refusing-topic-not-apart': {
      find: '    if (apart) return this.send(messages, this.connect(OWN_RETRIES));\n',
      replace: '',
      defect: 'A topic that does not answer delays all others.',
    },
    'connection-for-each-request': {
      find: 'if (connection !== this.shared) void',
      replace: 'void',
      defect: 'Every request of the shared producer but the first is refused, because its producer is disconnected.',
    },
    'leaves-connections-open': {
      find: '      if (connection !== this.shared) void this.disconnect(connection);\n',
      replace: '',
      defect: 'Each probe of a refusing topic leaves a connection open.',
    },
    'producer-not-idempotent': {
      find: 'idempotent: true,',
      replace: 'idempotent: false,',
      defect: 'A retry inside kafkajs can append a message twice.',
    },
    'creates-topics': {
      find: 'allowAutoTopicCreation: false,',
      replace: 'allowAutoTopicCreation: true,',
      defect: 'A typing error in a topic name creates a topic without consumers.',
    },
    'swallows-refusal': {
      find: "throw code === undefined ? busUnavailable('publish', error) : messageRefused(topic, code, error);",
      replace: 'if (code === undefined) throw busUnavailable(topic, error);',
      defect: 'A refused message counts as published and is deleted from the outbox.',
    },
    'connects-after-close': {
      find: '    if (this.closed) throw busClosed();\n',
      replace: '',
      defect: 'A publish after the close opens a connection that nothing closes.',
    },
    'retries-for-minutes': {
      find: 'const OWN_RETRIES = 5;',
      replace: 'const OWN_RETRIES = 500;',
      defect: 'A producer keeps retrying long after its caller gave up, and sends late.',
    },
    'acks-of-leader-only': {
      find: 'acks: -1, topicMessages',
      replace: 'acks: 1, topicMessages',
      defect: 'A publish resolves before the replicas have the message, and the loss of the leader loses it.',
    },
    'trusts-resolved-request': {
      find: 'if (missing.length > 0) throw',
      replace: 'if (missing.length < 0) throw',
      defect: 'Messages that kafkajs did not send after a change of leaders count as published and are lost.',
    },
    'keeps-failed-producer': {
      find: '      if (connection === this.shared) this.shared = null;\n',
      replace: '',
      defect: 'A producer that lost its sequence is used again and refuses every message.',
    },
  }),
  ...inFile('libs/messaging/src/bus-failures.ts', [`${KAFKA}/kafka-publisher.spec.ts`], {
    'message-refusal-counts-as-outage': {
      find: 'if (type !== undefined && codes.has(type)) return',
      replace: 'if (type === undefined && codes.has(type ?? "")) return',
      defect: 'One message that is too large stops its whole topic.',
    },
    'cause-not-followed': {
      find: 'cause = (cause as { cause?: unknown }).cause',
      replace: 'cause = null',
      defect: 'The code of a refusal is not found where kafkajs wraps the error.',
    },
  }),
  ...inFile(`${KAFKA}/offset-commits.ts`, [`${KAFKA}/offset-commits.spec.ts`], {
    'commits-beyond-a-gap': {
      find: '      if (!ended) break;\n',
      replace: '      if (!ended) continue;\n',
      defect: 'An unfinished message is committed with the ended ones behind it, and a crash loses it.',
    },
    'commits-own-offset': {
      find: 'const next = this.endedThrough + 1n;',
      replace: 'const next = this.endedThrough;',
      defect: 'The last ended message is delivered again after each restart and counts as lag.',
    },
    'accepts-known-message': {
      find: ' || this.open.has(offset)) return false;',
      replace: ') return false;',
      defect: 'A message in flight is accepted again when the log is read again.',
    },
    'ends-twice': {
      find: 'if (this.open.get(offset) !== false) return;',
      replace: 'if (!this.open.has(offset)) return;',
      defect: 'A message that ends twice behind a slow one is counted twice, and the partition reads without limit.',
    },
    'late-confirmation-goes-back': {
      find: '    if (this.committed === null || this.committed < next) this.committed = next;',
      replace: '    this.committed = next;',
      defect: 'The late confirmation of an older commit makes a newer one be repeated.',
    },
    'blocks-nothing-is-moved': {
      find: 'first === undefined || this.inFlight === this.open.size ? null : first',
      replace: 'first === undefined ? null : first',
      defect: 'A long job is published again although no ended message waits behind it.',
    },
    'recreated-topic-off-by-one': {
      find: 'this.endedThrough >= endOfLog',
      replace: 'this.endedThrough > endOfLog',
      defect: 'A recreated topic of the same length is not noticed.',
    },
    'trusts-resolved-commit': {
      find: '    await this.commit(offsets).catch(',
      replace: '    for (const one of offsets) this.wasCommitted(one.partition, one.offset);\n    await this.commit(offsets).catch(',
      defect: 'A commit that kafkajs never sent counts as done.',
    },
    'refused-commit-not-retried': {
      find: 'everyMs: () => retryMs,',
      replace: 'everyMs: () => 3_600_000,',
      defect: 'A commit refused during a rebalance waits for the next ended message.',
    },
    'commit-for-each-message': {
      find: '      gapMs: () => BETWEEN_COMMITS_MS,\n',
      replace: '',
      defect: 'A busy consumer sends a commit for each message that ends.',
    },
    'lost-partition-kept': {
      find: 'if (!partitions.has(partition)) this.progress.delete(partition);',
      replace: 'if (!partitions.has(partition)) continue;',
      defect: 'Offsets of a partition are committed after it went to another member.',
    },
  }),
  ...inFile(`${KAFKA}/kafka-consumer.ts`, [`${KAFKA}/kafka-consumer.spec.ts`], {
    'disconnected-counts-as-stalled': {
      find: 'if (!this.connected || now - this.lastActivity < this.stallMs) return;',
      replace: 'if (now - this.lastActivity < this.stallMs) return;',
      defect: 'An outage of the broker makes the process exit although the client reconnects.',
    },
    'frozen-process-counts-as-stalled': {
      find: '    if (now - this.lastCheck > this.everyMs * 2) this.lastActivity = now;\n',
      replace: '',
      defect: 'A suspended machine recreates every consumer when it resumes.',
    },
  }),
  ...inFile(`${KAFKA}/kafka-consumer.ts`, [`${KAFKA}/kafka-subscription.spec.ts`], {
    'commits-automatically': {
      find: 'autoCommit: false,',
      replace: 'autoCommit: true,',
      defect: 'kafkajs commits messages whose jobs still run, and a crash loses them.',
    },
    'starts-at-the-end': {
      find: 'fromBeginning: true',
      replace: 'fromBeginning: false',
      defect: 'Messages published before a group exists are never delivered.',
    },
    'recreated-without-limit': {
      find: 'this.restarts >= this.settings.stallLimit',
      replace: 'this.restarts > this.settings.stallLimit * 1_000',
      defect: 'A consumer that stalls again and again is never given up, so that nothing restarts its process.',
    },
    'crash-ends-silently': {
      find: '      if (!payload.restart) void this.restart(`the consumer crashed: ${errorText(payload.error)}`);\n',
      replace: '',
      defect: 'A consumer that kafkajs gives up stays without messages while its process lives.',
    },
    'hears-former-consumer': {
      find: 'if (consumer === this.consumer && !this.stopped) await this.events.onBatch(payload);',
      replace: 'await this.events.onBatch(payload);',
      defect: 'A consumer that was replaced still delivers the fetch that it had begun.',
    },
  }),
  ...inFile(`${KAFKA}/kafka-topics.ts`, [`${KAFKA}/kafka-topics.spec.ts`], {
    'uncommitted-partition-has-no-lag': {
      find: 'BigInt(committed) < BigInt(low) ? BigInt(low) : BigInt(committed)',
      replace: 'committed === NO_OFFSET ? BigInt(high) : BigInt(committed)',
      defect: 'A group without a commit has no lag, and no worker is started for its messages.',
    },
    'deleted-messages-are-lag': {
      find: 'BigInt(committed) < BigInt(low) ? BigInt(low) : BigInt(committed)',
      replace: 'committed === NO_OFFSET ? BigInt(low) : BigInt(committed)',
      defect: 'Messages that the retention deleted count as lag, and workers are started for nothing.',
    },
  }),
  ...inFile('libs/messaging/src/read-message.ts', ['libs/messaging/src/read-message.spec.ts'], {
    'schema-not-checked': {
      find: '  if (result.success) return { ok: true, envelope: result.data as Envelope };',
      replace: '  if (typeof parsed === "object") return { ok: true, envelope: parsed as Envelope };',
      defect: 'A message of another version reaches the handler.',
    },
  }),
];
