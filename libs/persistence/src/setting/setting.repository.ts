import { Column, Entity, PrimaryColumn } from 'typeorm';
import { JSON_VALUE, TEXT, TIME } from '../database/columns';
import { SqlRepository } from '../database/sql-repository';

/** A setting that changes at run time. */
@Entity('settings')
export class Setting {
  @PrimaryColumn(TEXT) name!: string;
  @Column(JSON_VALUE) value!: unknown;
  @Column(TIME) updatedAt!: Date;
  @Column(TEXT) updatedBy!: string;
}

export class SettingRepository extends SqlRepository<Setting> {
  protected readonly entity = Setting;

  /** The value as it was written; `null` if the setting was never written. The caller knows the type. */
  async get<T>(name: string): Promise<T | null> {
    return this.value('SELECT value FROM settings WHERE name = $1', [name]);
  }

  /** Until the end of the transaction no other one that locks this setting reads it: for a change that depends on the stored value. */
  async lock(name: string): Promise<void> {
    // it may not be stored yet, so that there is no row to lock
    await this.run('SELECT pg_advisory_xact_lock(hashtextextended($1, 3))', [name]);
  }

  /** Until the end of the transaction no other one that locks this setting changes it; several may keep it at the same time. */
  async keep(name: string): Promise<void> {
    await this.run('SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 3))', [name]);
  }

  /** The same while none of these settings changes. */
  async digest(names: readonly string[]): Promise<string> {
    const text = `SELECT md5(coalesce(string_agg(name || value::text, ' ' ORDER BY name), '')) FROM settings WHERE name = ANY($1::text[])`;
    return (await this.value<string>(text, [names])) ?? '';
  }

  /** Writes the value unless the setting exists; returns whether it did. */
  async add(name: string, value: unknown, updatedBy: string): Promise<boolean> {
    return this.affectsRow(
      'INSERT INTO settings (name, value, updated_by) VALUES ($1, $2::jsonb, $3) ON CONFLICT (name) DO NOTHING RETURNING name',
      [name, JSON.stringify(value), updatedBy],
    );
  }

  async set(name: string, value: unknown, updatedBy = 'system'): Promise<void> {
    await this.run(
      `INSERT INTO settings (name, value, updated_by) VALUES ($1, $2::jsonb, $3)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_by = excluded.updated_by, updated_at = now()`,
      [name, JSON.stringify(value), updatedBy],
    );
  }
}
