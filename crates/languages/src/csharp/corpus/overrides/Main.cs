class Base
{
    public virtual void Write(int n) {}
    public virtual void Write(string s) {}
    public void Plain(int n) {}
}

class Middle : Base
{
    public override void Write(int n) {}
    public void Write(object o) {}
    public void Plain(object o) {}
}

class Last : Middle
{
    public override void Write(string s) {}
}

class Main
{
    void Run(Base a, Middle b, Last c)
    {
        a.Write(1); // calls :Base.Write@3
        a.Write("a"); // calls :Base.Write@4
        b.Write(1); // calls :Middle.Write@11
        b.Write("a"); // calls :Middle.Write@11
        b.Plain(1); // calls :Middle.Plain
        c.Write("a"); // calls :Middle.Write@11
        c.Plain(2); // calls :Middle.Plain
        a.Plain(3); // calls :Base.Plain
    }
}
