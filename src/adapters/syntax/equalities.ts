/** Equality that says yes to whatever it is given, though the class has fields by which its objects differ. */
import type { SourceFacts } from "../../core/integrity/source.ts";
import { childOf, partsOf, textOf, walk } from "./nodes.ts";
import type { Node, Source } from "./tree.ts";

const equality = /^(__eq__|equals|isEqual|isEqualTo|equalTo|equal|eq|sameAs|isSameAs|isSame)$/;

interface File {
  readonly source: Source;
  readonly nodes: readonly Node[];
  readonly lineOf: (position: number) => number;
}

export function readYesToAll({ source, nodes, lineOf }: File): SourceFacts["yesToAll"] {
  return nodes
    .filter(({ name }) => name === "ClassDeclaration" || name === "ClassExpression" || name === "ClassDefinition")
    .flatMap((owner) => {
      const members = partsOf(childOf(owner, "ClassBody", "Body"));
      const yes = members.filter((member) => saysYes(source, member));
      const name = childOf(owner, "VariableDefinition", "VariableName");
      return members.some((member) => isField(source, member))
        ? yes.map(({ from }) => ({ owner: name === null ? "" : textOf(source, name), line: lineOf(from) }))
        : [];
    });
}

function saysYes(source: Source, member: Node): boolean {
  const name = childOf(member, "PropertyDefinition", "VariableName");
  if (!/^(MethodDeclaration|FunctionDefinition)$/.test(member.name) || name === null || !equality.test(textOf(source, name))) return false;
  const statements = partsOf(childOf(member, "Block", "Body")).filter((one) => partsOf(one)[0]?.name !== "String");
  return statements.length === 1 && /^return\s+(true|True)\s*;?$/.test(textOf(source, statements[0] as Node).trim());
}

/** Declared, or set on the object by one of its methods. */
function isField(source: Source, member: Node): boolean {
  if (member.name === "PropertyDeclaration" || member.name === "AssignStatement") return !/^\s*static\b/.test(textOf(source, member));
  return [...walk(member)].some(
    (node) =>
      /^(AssignmentExpression|AssignStatement)$/.test(node.name) &&
      node.children.some((one) => one.name === "MemberExpression" && /^(this|self)\./.test(textOf(source, one))),
  );
}
