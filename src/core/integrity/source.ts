/** What a parser tells of one source file, the same for each language: as much as the rules ask for. Lines count from 1. */

export interface SourceFacts {
  readonly tests: readonly TestFacts[];
  readonly functions: readonly FunctionFacts[];
  /** Modules as they are written: `./slug.mjs`, `node:test`, `pkg.slug`, `.slug`. */
  readonly imports: readonly { readonly module: string; readonly line: number }[];
  /** Modules, or members of them (`./slug.mjs#slugify`, `pkg.slug.slugify`), that the file replaces for its tests. */
  readonly mocks: readonly MockFacts[];
  /** Ends the process with 0. `isSettled`: whatever was to come; it cuts off statements of its own block, or stands in a handler for the end. */
  readonly exits: readonly { readonly line: number; readonly isSettled: boolean }[];
  /** Asks whether it runs under a test: NODE_TEST_CONTEXT, VITEST, JEST_WORKER_ID, NODE_ENV = test, "unittest" in sys.modules, PYTEST_CURRENT_TEST. */
  readonly testQuestions: readonly { readonly line: number }[];
  /** Values that stand in the file as they are: numbers, texts, with their line. For what tests ask and expect. */
  readonly literals: ReadonlySet<string>;
  /** Names that its code speaks of, but where they are defined or only passed on by an export. */
  readonly names: ReadonlySet<string>;
  /** Equality of a class with fields that says yes to whatever it is given. */
  readonly yesToAll: readonly { readonly owner: string; readonly line: number }[];
  /** It has no statement: comments and texts that stand alone are none. */
  readonly isEmpty: boolean;
}

export interface MockFacts {
  readonly target: string;
  readonly line: number;
  /** The file itself calls what it replaced. */
  readonly isCalled: boolean;
}

export interface TestFacts {
  /** With the names of what it stands in: `slugify > makes dashes`. Empty where it has none that can be read. */
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly isSkipped: boolean;
  /** Of its body; comments, `pass` and texts that stand alone are none. */
  readonly statements: number;
  /** Code that was made a comment stands in its body. */
  readonly hasCommentedCode: boolean;
  readonly assertions: readonly AssertionFacts[];
  /** It calls something else of this file, or of another one, by a name that says that it checks: assert…, expect…, check…, verify…, should…. */
  readonly mayAssertElsewhere: boolean;
  /** Parameters, marks and statements as they are written, with single spaces and without comments. Empty where they tell nothing: they stand elsewhere, or ask for the test's name. */
  readonly body: string;
  /** So many times the loop or table around it runs it without a difference; 1 = once, or with other values each time. */
  readonly times: number;
}

export interface AssertionFacts {
  readonly line: number;
  /** As it is written, with single spaces. */
  readonly text: string;
  /** It stands in a loop, or in a test that runs once for each row of a table. */
  readonly isRepeated: boolean;
  /** Compares constants, or a value with itself. */
  readonly isConstant: boolean;
  /** In a `try` whose handler neither fails, throws nor asserts. */
  readonly isSwallowed: boolean;
}

export interface FunctionFacts {
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly statements: number;
  readonly hasCommentedCode: boolean;
  /** Branches that compare an input with a literal and give back a literal: `if (n === 4) return "IV"`, `case 4:`, a table of such pairs that is looked up. */
  readonly answers: readonly { readonly input: string; readonly answer: string; readonly line: number }[];
  /** It has a way to a result that is computed, not written down. */
  readonly computes: boolean;
  /** All that it does is to throw that it is not implemented. Null = it does something. Of a method the class that it is of, which may leave it to others; a method of an object is none. */
  readonly stub: { readonly owner: string | null } | null;
  /** A constant of the file that is off, in front of every result that is worked out. Nothing sets it. */
  readonly offSwitch: { readonly name: string; readonly line: number; readonly definedAt: number } | null;
}
