import { ServerModel, Transaction } from './database-model';
import { JobModel } from './job-model';
import { describeJobRows, type JobRows } from './job-rows.contract';

/** The model on real timers. */
export function openModel(nowMs: () => number = () => Date.now()): JobRows {
  const after = (ms: number, run: () => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };
  const server = new ServerModel({ after, nowMs });
  return {
    jobs: new JobModel(server, (statement) => server.executeAlone(statement)),
    async transaction(work) {
      const tx = new Transaction(true);
      try {
        const result = await work(new JobModel(server, (statement) => server.execute(tx, statement)));
        server.commit(tx);
        return result;
      } catch (error) {
        server.rollback(tx);
        throw error;
      }
    },
  };
}

describeJobRows('model', openModel);
