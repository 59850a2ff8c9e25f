import type { ColumnOptions } from 'typeorm';

/** Counts and sizes stay far below 2^53, so that a plain number holds what PostgreSQL sends as text. */
export const asNumber = {
  from: (value: string | number | null): number | null => (value === null ? null : Number(value)),
  to: (value: number | null | undefined): number | null | undefined => value,
};

export const ID: ColumnOptions = { type: 'uuid' };
export const ID_OR_NULL: ColumnOptions = { type: 'uuid', nullable: true };
export const TEXT: ColumnOptions = { type: 'text' };
export const TEXT_OR_NULL: ColumnOptions = { type: 'text', nullable: true };
export const INTEGER: ColumnOptions = { type: 'integer' };
export const INTEGER_OR_NULL: ColumnOptions = { type: 'integer', nullable: true };
export const REAL_OR_NULL: ColumnOptions = { type: 'real', nullable: true };
export const BIGINT: ColumnOptions = { type: 'bigint', transformer: asNumber };
export const BOOLEAN: ColumnOptions = { type: 'boolean' };
export const BOOLEAN_OR_NULL: ColumnOptions = { type: 'boolean', nullable: true };
export const JSON_VALUE: ColumnOptions = { type: 'jsonb' };
export const JSON_OR_NULL: ColumnOptions = { type: 'jsonb', nullable: true };
export const TIME: ColumnOptions = { type: 'timestamptz' };
export const TIME_OR_NULL: ColumnOptions = { type: 'timestamptz', nullable: true };
