import { idParamsSchema, type FieldIssue } from '@autoposter/contracts';
import { cutText } from '@autoposter/domain';
import { readCursor } from '@autoposter/persistence';
import {
  BadRequestException,
  createParamDecorator,
  type ExecutionContext,
  NotFoundException,
  Param,
  type PipeTransform,
  UnprocessableEntityException,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { z } from 'zod';
import { routeOf } from './api-route';

/** Issue codes of a malformed request (400); all other issues are unacceptable values (422). */
const MALFORMED: ReadonlySet<string> = new Set(['invalid_type', 'unrecognized_keys', 'invalid_union', 'invalid_key', 'invalid_element']);
const MAX_ISSUES = 20;
const MAX_SENTENCES = 5;

/** The input as the schema returns it; a missing body counts as an empty object. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  if (!isStorable(value))
    throw new BadRequestException('The request contains characters that cannot be stored (U+0000 or an unpaired surrogate).');
  const result = schema.safeParse(value ?? {}, PARSING);
  if (result.success) return result.data;
  const issues = withoutConsequences(result.error.issues).map((issue) => withText(issue, value));
  const body = { message: sentencesOf(issues), issues: issues.slice(0, MAX_ISSUES).map(fieldIssue) };
  throw issues.some((issue) => MALFORMED.has(issue.code)) ? new BadRequestException(body) : new UnprocessableEntityException(body);
}

/** zod also checks the length of a text where it expects a list: of a field with a wrong type only that counts. */
function withoutConsequences(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const pathOf = ({ path }: z.core.$ZodIssue): string => JSON.stringify(path.map(String));
  const wrong = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf));
  return issues.filter((issue) => issue.code === 'invalid_type' || !wrong.has(pathOf(issue)));
}

/** A query is text; what could not be read as a number is shown as it came. */
function withText(issue: z.core.$ZodIssue, value: unknown): z.core.$ZodIssue {
  if (!Number.isNaN(inputOf(issue))) return issue;
  const text = issue.path.reduce<unknown>((part, key) => (part as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
  return { ...issue, input: text } as z.core.$ZodIssue;
}

function sentencesOf(issues: readonly z.core.$ZodIssue[]): string {
  const more = issues.length - MAX_SENTENCES;
  return [...issues.slice(0, MAX_SENTENCES).map(describeIssue), ...(more > 0 ? [`${more} more fields are invalid.`] : [])].join(' ');
}

/** Zod's own sentences name neither the limit nor the wanted type in our words. */
export const PARSING = { reportInput: true, error: ruleOf } satisfies z.core.ParseContext<z.core.$ZodIssue>;

interface RoutePart {
  schema: z.ZodType;
  value: unknown;
}

const REFLECTOR = new Reflector();
const PARSED_PART: PipeTransform<RoutePart> = { transform: ({ schema, value }) => parseInput(schema, value) };

const routePart = (part: 'body' | 'query', prepare = (value: unknown): unknown => value) =>
  createParamDecorator((_data: unknown, context: ExecutionContext): RoutePart => {
    const schema = routeOf(REFLECTOR, context)?.[part];
    if (schema === undefined) throw new Error(`the route of ${context.getHandler().name} has no schema for its ${part}`);
    return { schema, value: prepare(context.switchToHttp().getRequest<Request>()[part]) };
  });

const body = routePart('body');
const query = routePart('query');
const filters = routePart('query', withoutEmpty);

/** The body as the schema of the route returns it. */
export const ValidBody = (): ParameterDecorator => body(PARSED_PART);
/** The query as the schema of the route returns it. */
export const ValidQuery = (): ParameterDecorator => query(PARSED_PART);
/** The query of a list: clients send a filter that is not set as an empty value, which selects everything. */
export const ValidFilters = (): ParameterDecorator => filters(PARSED_PART);
/** The `:id` of the path. */
export const ValidId = (): ParameterDecorator => Param('id', idParam);

/** A query for a page of a list. A `cursor` that the API never returned, or an empty one, is refused: it would silently select the first page. */
export const validPage = <T extends z.ZodType<{ cursor?: string | undefined }>>(schema: T): PipeTransform<unknown, z.output<T>> => {
  const checked = schema.refine(({ cursor }) => cursor === undefined || readCursor(cursor) !== null, {
    path: ['cursor'],
    message: 'must be the nextCursor of an earlier response; leave it out to start with the first page',
  });
  return { transform: (value) => parseInput(checked, withoutEmpty(value, 'cursor')) };
};

export function withoutEmpty(query: unknown, required = ''): unknown {
  return Object.fromEntries(Object.entries(query as object).filter(([name, value]) => value !== '' || name === required));
}

/** A malformed id counts as unknown: 404. */
export const idParam: PipeTransform<unknown, string> = {
  transform(value) {
    const id = idParamsSchema.safeParse({ id: value });
    if (!id.success) throw new NotFoundException('There is nothing with this id.');
    return id.data.id.toLowerCase();
  },
};

/** PostgreSQL stores neither U+0000 nor unpaired surrogates. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !/\0|\p{Surrogate}/u.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, entry]) => isStorable(key) && isStorable(entry));
}

type Issue = z.core.$ZodIssue;

const MAX_SHOWN = 80;
const MAX_NAMES = 5;
/** zod adds this bound to every integer. */
const EXACT = Number.MAX_SAFE_INTEGER;
const TYPES: Record<string, string> = {
  string: 'text',
  int: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const isPlain = (input: unknown): input is string | number | boolean =>
  typeof input === 'string' || typeof input === 'number' || typeof input === 'boolean';
const cut = (text: string): string => cutText(text, MAX_SHOWN);
/** The keys of a record come from the client, so the path is untrusted text. */
const fieldOf = (issue: Issue): string => cut(issue.path.map(String).join('.'));
/** The same for a person: entries of lists count from 1. */
function fieldNameOf({ path }: Issue): string {
  let name = '';
  for (const [index, key] of path.entries()) {
    if (typeof key === 'number') name += `${name === '' ? '' : ', '}entry ${key + 1}`;
    else name += `${name === '' ? '' : typeof path[index - 1] === 'number' ? ', ' : '.'}${String(key)}`;
  }
  return cut(name);
}
const inputOf = (issue: Issue | z.core.$ZodRawIssue): unknown => (issue as { input?: unknown }).input;

export function fieldIssue(issue: Issue): FieldIssue {
  const input = inputOf(issue);
  return { field: fieldOf(issue), rule: issue.message, value: isPlain(input) ? cutText(String(input), MAX_SHOWN) : undefined };
}

/** `interval: must be at least 5, not 4.` */
export function describeIssue(issue: Issue): string {
  const field = fieldNameOf(issue);
  const value = valueOf(issue);
  const text = `${issue.message.replace(/\.$/u, '')}${value}.`;
  return field === '' ? `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}` : `${field}: ${text}`;
}

/**
 * A long value is described by its length; an empty one that is too short is not shown. The message of a rule about several fields names them.
 */
function valueOf(issue: Issue): string {
  const input = inputOf(issue);
  if (input === undefined || issue.code === 'unrecognized_keys' || (issue.code === 'too_small' && input === '')) return '';
  if (typeof input === 'string' && (issue.code === 'too_big' || input.length > MAX_SHOWN)) return `, not ${input.length} characters`;
  if (Array.isArray(input)) return `, not ${issue.code === 'invalid_type' ? 'a list' : `${input.length} entries`}`;
  if (isPlain(input)) return `, not ${JSON.stringify(input)}`;
  if (input === null) return ', not null';
  return issue.code === 'custom' ? '' : ', not an object';
}

/** The text of a rule that has no message of its own: zod asks this function for those only. */
function ruleOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const wanted = TYPES[issue.expected] ?? issue.expected;
      return inputOf(issue) === undefined ? `is missing and must be ${wanted}` : `must be ${wanted}`;
    }
    case 'too_small':
      return `must ${limit(issue.origin, 'at least', issue.minimum)}`;
    case 'too_big':
      return issue.maximum === EXACT ? 'must be an exact whole number' : `must ${limit(issue.origin, 'at most', issue.maximum)}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'unrecognized_keys':
      return `unknown field ${listOf(issue.keys)}`;
    case 'invalid_format':
      return `must be ${FORMATS[issue.format] ?? `a valid ${issue.format}`}`;
    default:
      return undefined;
  }
}

function listOf(names: readonly string[]): string {
  const more = names.length - MAX_NAMES;
  return `${names.slice(0, MAX_NAMES).map(cut).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const FORMATS: Record<string, string> = {
  uuid: 'an id (UUID)',
  url: 'an address (URL)',
  datetime: 'a moment such as 2026-05-05T10:00:00Z',
  date: 'a day such as 2026-05-05',
  email: 'an e-mail address',
};

function limit(origin: string, words: string, amount: number | bigint): string {
  if (origin === 'string') return `have ${words} ${amount} character${amount === 1 ? '' : 's'}`;
  if (origin === 'array') return `have ${words} ${amount} entr${amount === 1 ? 'y' : 'ies'}`;
  return `be ${words} ${amount}`;
}
