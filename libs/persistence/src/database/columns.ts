import { DefaultNamingStrategy, type ColumnOptions } from 'typeorm';

export const ID = { type: 'uuid' } as const satisfies ColumnOptions;
export const ID_OR_NULL = { type: 'uuid', nullable: true } as const satisfies ColumnOptions;
export const ID_LIST_OR_NULL = { type: 'uuid', array: true, nullable: true } as const satisfies ColumnOptions;
export const TEXT = { type: 'text' } as const satisfies ColumnOptions;
export const TEXT_OR_NULL = { type: 'text', nullable: true } as const satisfies ColumnOptions;
export const INTEGER = { type: 'integer' } as const satisfies ColumnOptions;
export const INTEGER_OR_NULL = { type: 'integer', nullable: true } as const satisfies ColumnOptions;
export const REAL_OR_NULL = { type: 'real', nullable: true } as const satisfies ColumnOptions;
export const REAL_LIST_OR_NULL = { type: 'real', array: true, nullable: true } as const satisfies ColumnOptions;
export const BIGINT = { type: 'bigint' } as const satisfies ColumnOptions;
export const BOOLEAN = { type: 'boolean' } as const satisfies ColumnOptions;
export const BOOLEAN_OR_NULL = { type: 'boolean', nullable: true } as const satisfies ColumnOptions;
export const JSON_VALUE = { type: 'jsonb' } as const satisfies ColumnOptions;
export const JSON_OR_NULL = { type: 'jsonb', nullable: true } as const satisfies ColumnOptions;
export const TIME = { type: 'timestamptz' } as const satisfies ColumnOptions;
export const TIME_OR_NULL = { type: 'timestamptz', nullable: true } as const satisfies ColumnOptions;

/** The property `nextRunAt` is the column `next_run_at`. */
export class SnakeNaming extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined): string {
    return customName ?? propertyName.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  }
}
