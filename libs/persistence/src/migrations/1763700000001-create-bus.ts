import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables of the bus on Postgres. They are there with Kafka too, empty, so that an installation can change its bus. */
export class CreateBus1763700000001 implements MigrationInterface {
  /** Written out: a bundler may rename the class. */
  readonly name = 'CreateBus1763700000001';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['bus_deliveries', 'bus_messages', 'bus_groups', 'bus_topics']) await runner.query(`DROP TABLE IF EXISTS ${table}`);
  }
}

const STATEMENTS = [
  `CREATE TABLE bus_topics (name text PRIMARY KEY, retention_ms bigint NOT NULL)`,
  `CREATE TABLE bus_groups (
    group_name text NOT NULL,
    topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
    PRIMARY KEY (group_name, topic)
  )`,
  `CREATE TABLE bus_messages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    topic text NOT NULL REFERENCES bus_topics (name) ON DELETE CASCADE,
    key text NOT NULL,
    value text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now()
  )`,
  `CREATE INDEX bus_messages_by_age ON bus_messages (topic, published_at)`,
  `CREATE TABLE bus_deliveries (
    group_name text NOT NULL,
    topic text NOT NULL,
    message_id bigint NOT NULL REFERENCES bus_messages (id) ON DELETE CASCADE,
    key text NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    owner uuid,
    PRIMARY KEY (group_name, topic, message_id),
    FOREIGN KEY (group_name, topic) REFERENCES bus_groups (group_name, topic) ON DELETE CASCADE
  )`,
  `CREATE INDEX bus_deliveries_by_key ON bus_deliveries (group_name, topic, key, message_id)`,
  `CREATE INDEX bus_deliveries_by_message ON bus_deliveries (message_id)`,
];
