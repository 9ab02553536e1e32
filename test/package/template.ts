import { parse } from "yaml";
import { read } from "./project.ts";

/** A statement of a policy, with lists where CloudFormation takes single values too. */
export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  /** By operator and key. */
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

export interface Resource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly Properties: Readonly<Record<string, unknown>>;
}

export interface Template {
  readonly Parameters: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly Globals: { readonly Function: Readonly<Record<string, unknown>> };
  readonly Resources: Readonly<Record<string, Resource>>;
}

/** One thing that is asked of S3, as IAM sees it. */
export interface Demand {
  readonly action: string;
  readonly resource: string;
  /** Condition keys that the request has. */
  readonly context: Readonly<Record<string, string>>;
}

type RawStatement = Readonly<Record<"Effect" | "Action" | "Resource" | "Condition", unknown>>;

/** CloudFormation's short forms, as text: `!Ref Bucket` is `Bucket`, `!GetAtt Bucket.Arn` and `!Sub "${Bucket.Arn}/*"` begin `Bucket.Arn`. */
const tags = ["!Ref", "!GetAtt", "!Sub"].map((tag) => ({
  tag,
  resolve: (text: string) => text.replaceAll(/\$\{([\w.:]+)\}/g, "$1"),
}));

export function readTemplate(file: string): Template {
  return parse(read(file), { customTags: tags }) as Template;
}

export function resourceOf({ Resources }: Template, name: string): Resource {
  const found = Resources[name];
  if (found === undefined) throw new Error(`The template has no resource ${name}.`);
  return found;
}

export function resourcesOf({ Resources }: Template, type: string): readonly (readonly [string, Resource])[] {
  return Object.entries(Resources).filter(([, { Type }]) => type === Type);
}

export function statementsOf(policyDocument: unknown): readonly Statement[] {
  const { Statement: raw } = policyDocument as { readonly Statement: readonly RawStatement[] };
  return raw.map(({ Effect, Action, Resource: resource, Condition = {} }) => ({
    effect: Effect as Statement["effect"],
    actions: listOf(Action),
    resources: listOf(resource),
    conditions: Object.fromEntries(
      Object.entries(Condition as object).map(([operator, keys]) => [
        operator,
        Object.fromEntries(Object.entries(keys as object).map(([key, values]) => [key, listOf(values)])),
      ]),
    ),
  }));
}

/** Whether one of the statements allows it, by IAM's rules, as far as templates here use them. */
export function allows(statements: readonly Statement[], { action, resource, context }: Demand): boolean {
  return statements.some(
    ({ effect, actions, resources, conditions }) =>
      effect === "Allow" &&
      actions.some((pattern) => isLike(action, pattern)) &&
      resources.some((pattern) => isLike(resource, pattern)) &&
      Object.entries(conditions).every(([operator, keys]) =>
        Object.entries(keys).every(([key, patterns]) => holds(operator, context[key], patterns)),
      ),
  );
}

function holds(operator: string, value: string | undefined, patterns: readonly string[]): boolean {
  switch (operator) {
    case "StringLike":
      return value !== undefined && patterns.some((pattern) => isLike(value, pattern));
    case "StringLikeIfExists":
      return value === undefined || patterns.some((pattern) => isLike(value, pattern));
    default:
      throw new Error(`This test does not know the operator ${operator}.`);
  }
}

function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split("*").map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join("[^]*")}$`).test(text);
}

function listOf(value: unknown): readonly string[] {
  return (Array.isArray(value) ? value : [value]) as readonly string[];
}
